#!/usr/bin/env bash
# test_mutant.sh PROGRAM SAMPLE KERNEL FINDER [FILE]: runs a kernel on the emulated GPU in three orders of its threads, or those in
# $CUDABOOK_SCHEDULES, and fails unless the finder (mutants.txt; nobody: the kernel is right) has found what is wrong with FILE in each.
set -euo pipefail
program=$1 sample=$2 kernel=$3 finder=$4 file=${5:-}
case $sample:$kernel in
  heat_notexture:registers) arguments=(--headless --frames 1 --steps-per-frame 16 --width 140 --height 200) ;;  # blocks of several warps
  heat_notexture:*) arguments=(--headless --frames 1 --steps-per-frame 7 --width 140 --height 70) ;;
  matmul:f16x3) arguments=(--m 150 --n 140 --k 390) ;;  # more steps than there are stages
  matmul:*) arguments=(--m 150 --n 140 --k 70) ;;
  tex1dfetch_big:*) arguments=(1) ;;
  streamed:*) arguments=() ;;
esac
thread='block ([0-9]*, [0-9]*, [0-9]*), thread ([0-9]*, [0-9]*, [0-9]*)'
for schedule in ${CUDABOOK_SCHEDULES:-1 2 3}; do
  status=0
  output=$("$program" --device emulated --kernel "$kernel" "${arguments[@]}" --schedule "$schedule" 2>&1) || status=$?
  finds() { grep -q -e "$1" <<<"$output"; }
  case $finder in
    nobody) [ $status = 0 ] && ! finds 'Sanitizer\|runtime error\|error in ' ;;
    thread) [ $status != 0 ] && finds "data race in .*kernel.*: $thread" && finds "#[0-9]* .*$file:[0-9]" ;;
    address) [ $status != 0 ] && finds "error in .*kernel.*, $thread" && finds "$file:[0-9]" ;;
    unwritten) [ $status != 0 ] && finds "error in .*kernel.*, $thread: .* has written, at .*kernels/[^ ]*:[0-9]" ;;
    kernel) [ $status = 3 ] && finds 'kernel.*block ' ;;
  esac || {
    echo "schedule $schedule: $finder did not find it; status $status"
    head -c 3000 <<<"$output"
    exit 1
  }
done
