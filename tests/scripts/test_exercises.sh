#!/usr/bin/env bash
# test_exercises.sh EXERCISE_SH [--first|--others] [NAME...]: each exercise is done with its solutions. The exercise as given and
# each wrong answer are refused: a wrong answer for the reason in its first line, and with the words in its second line
# if that is "// Says: ...". --others tests only the wrong answers after the first, --first all but these.
set -euo pipefail
shopt -s nullglob
exercise=$(realpath "$1")
shift
part=''
case ${1:-} in --first | --others) part=$1 && shift ;; esac
root=$(cd "$(dirname "$exercise")/.." && pwd)
cd "$root/exercises"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
export EXERCISE_SECONDS=600 # the machine may be busy

expect() { # expect NAME FILE VERDICT: `refused` is any verdict that finds a fault
  local said verdict words
  cp "$2" "$folder/$1.cu"
  said=$(EXERCISES=$folder "$exercise" "$1" --verdict) || said="exercise.sh ends with status $?"
  verdict=${said##*$'\n'}
  words=$(sed -n '2s|^// Says: ||p' "$2")
  case $3:$1:$(uname -m) in # the exercises about speed, where a prediction is possible
    done:0[34569]_*:x86_64 | done:1[357]_*:x86_64 | done:2[37]_*:x86_64) words='On an H200, ' ;;
  esac
  case $3:$verdict in
    refused:numbers | refused:race | refused:access | refused:memory | refused:stuck | refused:compile | "$3:$3")
      case $said in *"$words"*) return ;; esac
      ;;
  esac
  echo "FAILED: $2: $verdict, not $3${words:+, saying $words}"
  while read -r line; do echo "  $line"; done <<<"$said"
  failed=1
}

[ $# -gt 0 ] || set -- [0-9][0-9]_*.cu
for file; do
  name=$(basename "$file" .cu)
  wrong=(wrong/"$name".*.cu)
  if [ "$part" = --others ]; then
    wrong=("${wrong[@]:1}")
  else
    expect "$name" "$name.cu" refused
    for answer in "solutions/$name.cu" solutions/"$name".[0-9].cu; do expect "$name" "$answer" 'done'; done
    [ ${#wrong[@]} -ge 3 ] || { echo "FAILED: $name has ${#wrong[@]} wrong answers"; failed=1; }
    [ "$(wc -l <"hints/$name.txt")" = 3 ] || { echo "FAILED: $name has not three hints"; failed=1; }
    if [ "$part" = --first ]; then wrong=("${wrong[@]:0:1}"); fi
  fi
  for answer in "${wrong[@]}"; do
    reason=$(sed -n '1s|^// Refused as: \([a-z]*\)\..*|\1|p' "$answer")
    case $reason in
      numbers | race | access | memory | stuck | compile) expect "$name" "$answer" "$reason" ;;
      *) echo "FAILED: $answer: its first line has no reason" && failed=1 ;;
    esac
  done
done
exit $failed
