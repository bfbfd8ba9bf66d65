#!/usr/bin/env bash
# test_find_the_bug.sh TOOL FOLDER: the programs of docs/find_the_bug/, which are in FOLDER, fail as
# docs/course/answers.md says, and pass when they are repaired. TOOL: the sanitizer of the build, thread or address, or
# empty.
set -euo pipefail
tool=$1 folder=$2
failed=0
run() { status=0; output=$("$folder/$1" 2>&1) || status=$?; }
expect() { # expect STATUS TEXT: of the last run
  if [ "$status" = "$1" ] && grep -q -e "$2" <<<"$output"; then return; fi
  echo "$program: not status $1 and '$2', but status $status and:"
  head -c 3000 <<<"$output"
  failed=1
}

thread='block ([0-7], 0, 0), thread ([0-9]*, 0, 0)'
for program in rotate smooth sum; do
  run $program
  case $tool:$program in
    thread:rotate) expect 66 "rotate: data race in rotate: $thread" && expect 66 "rotate.cu:18" ;;
    address:smooth) expect 1 'smooth: error in smooth, block (3, 0, 0), thread (231, 0, 0)' && expect 1 "smooth.cu:20" ;;
    :rotate) expect 1 '^wrong: ' ;;
    thread:sum) expect 66 "sum: error in sum, $thread: reads 4 bytes of shared memory that no thread of this block has written, at .*sum.cu:23" ;;
    *:sum) expect 1 '^wrong: number 0 is -*nan, not 256' ;;
    :smooth) ;;  # it reads beyond an array, where any value may be
  esac
  program+=_repaired
  run "$program"
  expect 0 '^right$'
done
exit $failed
