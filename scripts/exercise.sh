#!/usr/bin/env bash
# Exercises that check themselves, on the emulated GPU: see exercises/README.md.
#
#   scripts/exercise.sh                lists them, and which are done
#   scripts/exercise.sh NAME           checks your answer in exercises/NN_NAME.cu; NAME may be the number
#     --hint [N]                       the first hint, or the second or third
#     --watch                          again, whenever the file is saved
#     --verdict                        and one word in a last line: done, numbers, race, access, memory, stuck, compile or machine
#     --trace                          what its warps ask of memory, as a page for a browser
#     --gpu                            on this machine's GPU, with the time; of a large input too, where an exercise is about speed
#   scripts/exercise.sh --all          checks all
#     --json FILE                      and writes the verdicts, for a class's CI
#
#   EXERCISES=DIR        where the answers are (default: exercises/)
#   CUDABOOK_BUILD=DIR   the build of cudabook to use (default: build/default or build/cpu; if neither has what it takes, it is built)
#   EXERCISE_SECONDS=N   how long a check may take, with its compiler (default: 60)
#
# Exit status: 0 done (with --all: all are), 1 not yet, 2 the command line is wrong, 3 the machine cannot do it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
answers=$(realpath "${EXERCISES:-$root/exercises}")
nvcc=$root/scripts/cudabook-nvcc
export CXX=${CXX:-g++}
export LC_ALL=C # it reads the compiler's messages
export CUDABOOK_LAUNCH_TIMEOUT=${CUDABOOK_LAUNCH_TIMEOUT:-5}
seconds=${EXERCISE_SECONDS:-60}

fail() { # fail STATUS LINE
  echo "exercise.sh: $2" >&2
  exit "$1"
}

# ----- the command line

name='' hint='' show_verdict=no watch=no trace=no gpu=no all=no json='' of_one=''
while [ $# -gt 0 ]; do
  case $1 in --hint | --verdict | --watch | --trace | --gpu) of_one=$1 ;; esac
  case $1 in
    --hint)
      hint=1
      case ${2:-} in [1-3]) hint=$2 && shift ;; esac
      ;;
    --verdict) show_verdict=yes ;;
    --watch) watch=yes ;;
    --trace) trace=yes ;;
    --gpu) gpu=yes ;;
    --all) all=yes ;;
    --json)
      [ $# -gt 1 ] || fail 2 "--json: a file is missing"
      json=$2
      shift
      ;;
    -h | --help)
      sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit
      ;;
    -*) fail 2 "$1: no such option; see --help" ;;
    *)
      [ -z "$name" ] || fail 2 "$1: one exercise at a time, or --all"
      name=$1
      ;;
  esac
  shift
done
[ -z "$json" ] || [ $all = yes ] || fail 2 "--json is for --all"
[ -z "$of_one" ] || [ -n "$name" ] || fail 2 "$of_one: the exercise is missing: scripts/exercise.sh NAME $of_one"

exercises() { # prints the names of all exercises
  local file
  for file in "$root"/exercises/[0-9][0-9]_*.cu; do basename "$file" .cu; done
}

title() { sed -n '1s|^// *||p' "$root/exercises/$1.cu"; }

# ----- text styles

bold='' green='' red='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'; fi

# ----- the record of what is done: a file for each exercise, with the checksum of the answer

state=$answers/.done
mark() { # mark NAME CHECKSUM: records the answer with the checksum as done
  mkdir -p "$state"
  echo "$2" >"$state/$1"
}
is_done() { [ -e "$state/$1" ] && [ "$(cat "$state/$1")" = "$(cksum <"$answers/$1.cu")" ]; }

# ----- checking

# Finds or builds the emulated GPU, with the sanitizers for bad accesses and races.
set_up() {
  local build
  [ "$(uname)" = Linux ] || fail 3 "it needs the emulated GPU, which needs Linux"
  for build in "${CUDABOOK_BUILD:-}" "$root/build/default" "$root/build/cpu"; do
    if [ -n "$build" ] && [ -e "$build/lib/cudabook/nvcc/cudabook_runtime_thread.a" ]; then
      CUDABOOK_BUILD=$(realpath "$build")
      export CUDABOOK_BUILD
      return
    fi
  done
  [ -z "${CUDABOOK_BUILD:-}" ] || fail 3 "CUDABOOK_BUILD=$CUDABOOK_BUILD: build the targets cudabook_nvcc and cudabook_nvcc_checks there"
  echo "Building the emulated GPU, once."
  # shellcheck disable=SC2016 # expanded there
  CUDABOOK_CUDA=none bash -euo pipefail -c '. "$0" build && build cpu cudabook_nvcc cudabook_nvcc_checks' "$root/scripts/bootstrap.sh" || exit $?
  export CUDABOOK_BUILD=$root/build/cpu
}

folder=$(mktemp -d)
unfinished=''
trap 'rm -rf "$folder" ${unfinished:+"$unfinished"}' EXIT

compile() { # compile NAME PROGRAM OPTION...: calls the compiler by exec, so call it in a subshell; with --check the program runs too
  exec timeout -k 1 "$seconds" "$nvcc" --emulate "${@:3}" -I"$root" "-DEXERCISE=\"$answers/$1.cu\"" "$root/exercises/checks/$1.cu" -o "$2"
}

own_lines() { # own_lines FILE: prints the compiler's first messages, with file names without their folder
  grep -v '^cudabook-nvcc: \|^In file included from \|^ *from ' "$1" | sed "s|$answers/||g; s|$root/||g" | sed -n 1,20p || true
}

bad='ERROR: AddressSanitizer\|runtime error:' # in a report: a bad access

# The finding in a report of AddressSanitizer or ThreadSanitizer: file and line of the answer, and the kernel's thread.
bad_access() { # bad_access REPORT NAME
  local place who
  place=$(grep -o "$2\.cu:[0-9]*" "$1" | sed -n 1p || true)
  who=$(sed -n 's/^[^ ]*: error in \([^:]*\).*/\1/p' "$1" | sed -n 1p || true)
  case $(cat "$1") in
    *"division by zero"*) echo "$place divides by zero" ;;
    *"bytes of dynamic shared memory"*)
      echo "$place uses more shared memory than there is ($who)"
      sed -n 's/^.*: the launch gives/The launch gives/p' "$1" | sed -n 1p
      ;;
    *"AddressSanitizer: SEGV"*) echo "$place uses an address that is nowhere in memory ($who)" ;;
    *"READ of size"*) echo "$place reads beyond an array ($who)" ;;
    *"WRITE of size"*) echo "$place writes beyond an array ($who)" ;;
    *"out of bounds for type"*)
      echo "$place uses $(sed -n "s/^.*runtime error: \(index [-0-9]*\) out of bounds for type '\(.*\)'.*/\1 of an array \2/p" "$1" | sed -n 1p || true) ($who)"
      ;;
    *) echo "$place does what no program may: $(sed -n 's/^.*runtime error: //p' "$1" | sed -n 1p || true) ($who)" ;;
  esac
}
race() { # race REPORT NAME
  local lines who
  who=$(sed -n 's/^[^ ]*: data race in //p' "$1" | sed -n 1p || true)
  lines=$(grep -o "$2\.cu:[0-9]*" "$1" | awk '!seen[$0]++' | sed -n 1,2p | xargs | sed 's/ / and /' || true)
  if [ -n "$who" ]; then
    echo "$lines: $who."
    case $who in
      *" writes "*" writes "*) echo "Both write the same element. Is it theirs? If it is for both, an atomic operation or a barrier is missing." ;;
      *atomically*) echo "The read is not atomic; atomicAdd(p, 0) would be. If it needs all that the others add, a barrier is missing." ;;
      *) echo "Nothing says which comes first: a barrier, __syncwarp() or an atomic operation would." ;;
    esac
  else
    sed -n 's/^[^ ]*: error in /in /p' "$1" | sed "s|$answers/||; s|$root/||" | sed -n 1p || true
    echo "What nobody has written yet is read: a barrier is missing, or a part of the tile."
  fi
}

# The exit statuses of a check that ran to its end: exercises/checks/check.hpp.
wrong=91 too_much=92 failed=93 no_machine=94

came_to_its_end() { # came_to_its_end STATUS: whether the status is that of a check that ran to its end
  case $1 in 0 | "$wrong" | "$too_much" | "$failed" | "$no_machine") ;; *) return 1 ;; esac
}

# why_not REPORT STATUS: prints why a check did not run to its end, and a remedy.
why_not() {
  if [ "$2" = 124 ] || [ "$2" = 137 ]; then
    echo "it took more than $seconds s. A machine that is less busy helps, or EXERCISE_SECONDS=$((10 * seconds))."
    return
  fi
  grep -v '^cudabook-nvcc: for the emulated GPU' "$1" | sed 's/^==[0-9]*==//' | sed -n 1,3p || true
  echo "It ended with status $2."
  case $(cat "$1") in
    *'unexpected memory mapping'*)
      echo "ThreadSanitizer does not find its addresses free, because the system deals them out at random. It ran under 'setarch -R' if that"
      echo "is allowed here. Outside of a container it is; or, as root: sysctl vm.mmap_rnd_bits=28"
      ;;
    *tsan*) echo "The compiler's library libtsan is missing: Debian has it in libgcc-N-dev, N being the version of g++; Fedora in libtsan." ;;
    *asan* | *ubsan*) echo "The compiler's libraries libasan and libubsan are missing: Debian has them in libgcc-N-dev, N being the version of g++." ;;
  esac
}

# For exercises about speed: how long the answer would take on a large input, and what limits it (docs/predict.md).
# Returns 1 if it misses its goal, 2 if nobody knows.
predict() { # predict NAME
  local status=0 has_goal=no
  : >"$folder/predicted.text"
  grep -q 'speed(\|transpose\.hpp' "$root/exercises/checks/$1.cu" || return 0
  EXERCISE_PREDICT=1 CUDABOOK_PREDICT=h200 CUDABOOK_PREDICT_ONLY=1 timeout -k 1 "$seconds" "$folder/counted" >"$folder/predicted" 2>&1 || status=$?
  case $status in
    3) sed -n 's/^[^ ]*: \(a prediction needs\)/\1/p' "$folder/predicted" ;;
    124 | 137) echo "How long it would take on an H200 could not be predicted in $seconds s." ;;
    *) grep '^On an H200\|^The goal' "$folder/predicted" || true ;;
  esac >"$folder/predicted.text"
  ! grep -q 'Goal{' "$root/exercises/checks/$1.cu" || has_goal=yes
  case $status:$has_goal in
    "$too_much":*) return 1 ;;
    0:* | *:no) return 0 ;;
  esac
  why_not "$folder/predicted" "$status" >"$folder/predicted.text"
  return 2
}

stop() { # stop PROCESS...: ends processes in the background
  kill "$@" 2>/dev/null || true
  wait "$@" 2>/dev/null || true
}

# check NAME: sets `verdict` to done, numbers, race, access, memory, stuck, compile or machine, records what is done, and
# prints the findings.
check() {
  local status=0 access=0 race=0 exercise=$1 report='' checksum
  checksum=$(cksum <"$answers/$1.cu" 2>/dev/null || true) # of what is checked: the file may be saved again meanwhile
  # All three at once. One of them tells what nvcc would refuse.
  (CUDABOOK_SECOND_READER=none compile "$exercise" "$folder/access" --check) >"$folder/access.report" 2>&1 &
  local first=$!
  (CUDABOOK_SECOND_READER=none compile "$exercise" "$folder/race" --check=race) >"$folder/race.report" 2>&1 &
  local second=$!
  (compile "$exercise" "$folder/counted" --count) 2>"$folder/messages" || status=$?
  if [ $status != 0 ]; then stop $first $second; fi
  if [ $status = 124 ] || [ $status = 137 ]; then
    verdict=machine
    echo "${red}It could not be compiled:$plain"
    why_not "$folder/messages" $status
    return
  elif [ $status != 0 ] && grep -q '^cudabook-nvcc: --count: ' "$folder/messages"; then
    verdict=machine
    sed -n 's/^cudabook-nvcc: --count: //p' "$folder/messages"
    return
  elif [ $status != 0 ]; then
    verdict=compile
    echo "${red}It does not compile.$plain"
    own_lines "$folder/messages"
    return
  fi
  # On one core the threads always come in the same order, so an atomicCAS that is tried again is counted alike each time.
  { OMP_NUM_THREADS=1 CUDABOOK_COUNTERS=1 timeout -k 1 10 "$folder/counted" >"$folder/said" 2>"$folder/errors" || status=$?; } 2>/dev/null # bash too prints a line about a crash
  # The watchdog ends a kernel without any progress, but not a kernel that comes to barriers for ever. A write beyond an
  # array may be why the kernel hangs, so a report of it comes first.
  if { [ $status = 124 ] || grep -q cudaErrorLaunchTimeout "$folder/errors"; } && ! grep -q "$bad" "$folder/access.report"; then
    verdict=stuck
    stop $first $second
    echo "${red}The kernel does not end:$plain an endless loop, or threads wait for others that never come."
    sed -n 's/^.*terminated): \(.*\): for [0-9]* s .*/\1/p' "$folder/errors"
    return
  fi
  wait $first || access=$?
  wait $second || race=$?

  # A report of a bad access or of a race explains wrong numbers, and is a mistake if they are right. The first check
  # with a finding decides. So does a check that did not run to its end, because its finding is unknown.
  if grep -q "$bad" "$folder/access.report"; then
    verdict=access
  elif ! came_to_its_end $access; then
    verdict=machine report=access
  elif ! came_to_its_end $status || [ $status = $failed ]; then
    verdict=stuck
    if [ $status -gt 128 ]; then echo "the program crashed (signal $((status - 128)))" >>"$folder/said"; fi
    cat "$folder/errors" >>"$folder/said"
  elif grep -q 'data race\|error in .*shared memory that no thread' "$folder/race.report"; then
    verdict=race
  elif ! came_to_its_end $race; then
    verdict=machine report=race
  elif [ $access = $failed ]; then # only --check refuses barriers at which the threads of a block wait apart
    verdict=stuck
    grep -v "^cudabook-nvcc: " "$folder/access.report" >"$folder/said" || true
  else
    case $status in
      0) verdict='done' ;;
      "$wrong") verdict=numbers ;;
      "$too_much") verdict=memory ;;
      "$no_machine") verdict=machine ;;
    esac
    local goal=0
    case $verdict in 'done' | memory) predict "$exercise" || goal=$? ;; esac
    case $goal in
      1) verdict=memory ;;
      2) verdict=machine report=prediction ;;
    esac
  fi

  case $verdict in
    'done')
      mark "$exercise" "$checksum" # before the word: who reads it may stop --watch at once
      echo "${green}Done.$plain"
      cat "$folder/predicted.text"
      ;;
    numbers)
      echo "${red}Wrong:$plain"
      cat "$folder/said"
      ;;
    access)
      [ $status != $wrong ] || cat "$folder/said"
      echo "${red}A bad access:$plain"
      bad_access "$folder/access.report" "$exercise"
      ;;
    race)
      [ $status != $wrong ] || cat "$folder/said" # only wrong numbers, not missed goals
      echo "${red}A race:$plain"
      race "$folder/race.report" "$exercise"
      ;;
    memory)
      echo "${red}Right, but it can be better:$plain"
      cat "$folder/said" "$folder/predicted.text"
      ;;
    stuck)
      echo "${red}The kernel did not end as it should:$plain"
      sed "s|$answers/||g; s|$root/||g" "$folder/said" | sed -n 1,3p
      ;;
    machine)
      case $report in
        access) echo "${red}It could not be checked for bad accesses:$plain" && why_not "$folder/access.report" $access ;;
        race) echo "${red}It could not be checked for races:$plain" && why_not "$folder/race.report" $race ;;
        prediction) echo "${red}The goal could not be checked:$plain" && cat "$folder/predicted.text" ;;
        *) cat "$folder/said" "$folder/errors" ;;
      esac
      ;;
  esac
}

on_gpu() { # on_gpu NAME
  command -v nvcc >/dev/null || fail 3 "--gpu: nvcc is not here; without it the emulated GPU does it: leave out --gpu"
  nvcc -std=c++20 -arch=native -I"$root" "-DEXERCISE=\"$answers/$1.cu\"" "$root/exercises/checks/$1.cu" -o "$folder/gpu" || exit 1
  local status=0
  EXERCISE_TIME=1 "$folder/gpu" || status=$?
  [ $status = 0 ] && echo "Right, on this GPU. What it asks of memory is counted on the emulated one alone."
  exit $status
}

once() { # once NAME
  echo "$bold$(title "$1")$plain"
  check "$1"
  if [ "$verdict" = "done" ]; then
    sed -n '/^\/\/ Further:/,/^$/{s|^// ||p;}' "$root/exercises/$1.cu"
  else
    echo "(${EXERCISES:-exercises}/$1.cu; a hint: scripts/exercise.sh $1 --hint)"
  fi
}

# ----- the requested action

if [ $all = yes ]; then
  set_up
  if [ -n "$json" ]; then # renamed when it is complete
    if [ -d "$json" ] || ! { : >"$json.part"; } 2>/dev/null; then fail 3 "--json: cannot write $json"; fi
    unfinished=$json.part
  fi
  verdicts=() undone=0 unchecked=0
  for exercise in $(exercises); do
    check "$exercise" >"$folder/text"
    printf '%-24s %s\n' "$exercise" "$verdict"
    [ "$verdict" = "done" ] || undone=$((undone + 1))
    [ "$verdict" != machine ] || unchecked=$((unchecked + 1))
    text=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' "$folder/text" | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')
    verdicts+=("  {\"exercise\": \"$exercise\", \"verdict\": \"$verdict\", \"text\": \"$text\"}")
  done
  if [ -n "$json" ]; then
    { echo '['; (IFS=$'\n' && echo "${verdicts[*]}" | sed '$!s/$/,/'); echo ']'; } >"$unfinished"
    mv -f "$unfinished" "$json"
  fi
  echo "$undone of $(exercises | wc -l) are not done"
  [ $unchecked = 0 ] || exit 3
  [ $undone = 0 ]
  exit
fi

if [ -z "$name" ]; then
  for exercise in $(exercises); do
    if is_done "$exercise"; then tick="${green}done$plain"; else tick='    '; fi
    printf '%s  %-22s %s\n' "$tick" "$exercise" "$(title "$exercise" | sed 's/^[0-9]*\. //')"
  done
  exit
fi

matching=()
for exercise in $(exercises); do
  case $exercise in
    "$name" | "$name"_* | 0"$name"_* | [0-9][0-9]_"$name") matching+=("$exercise") ;;
  esac
done
[ ${#matching[@]} = 1 ] || fail 2 "$name: no such exercise; scripts/exercise.sh lists them"
exercise=${matching[0]}
[ -f "$answers/$exercise.cu" ] || fail 2 "$answers/$exercise.cu is missing"

if [ -n "$hint" ]; then
  sed -n "${hint}p" "$root/exercises/hints/$exercise.txt"
  exit
fi
[ $gpu = no ] || on_gpu "$exercise"
set_up
if [ $trace = yes ]; then
  (compile "$exercise" "$folder/counted" --count) || exit 1
  page=$state/$exercise.html
  mkdir -p "$state"
  rm -f "$page"
  CUDABOOK_TRACE=$page "$folder/counted" || true
  [ -e "$page" ] || fail 1 "no page: the run did not come to its end; without --trace it says why"
  echo "$page"
  if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then xdg-open "$page" >/dev/null 2>&1 & fi
  exit
fi
before=$(cksum <"$answers/$exercise.cu") # a file that is saved during the check is checked again
once "$exercise"
if [ $show_verdict = yes ]; then
  echo "$verdict"
  exit
fi
if [ $watch = yes ]; then
  while sleep 0.3; do
    now=$(cksum <"$answers/$exercise.cu" 2>/dev/null || true)
    if [ "$now" != "$before" ] && [ -n "$now" ]; then
      before=$now
      echo
      once "$exercise"
    fi
  done
fi
case $verdict in 'done') ;; machine) exit 3 ;; *) exit 1 ;; esac
