#!/usr/bin/env bash
# test_exercises.sh EXERCISE_SH [NAME...]: each exercise is done with its solution, and the hole as it is given and each wrong answer are
# refused: the wrong ones for the reason that their first line says.
set -euo pipefail
exercise=$(realpath "$1")
shift
root=$(cd "$(dirname "$exercise")/.." && pwd)
cd "$root/exercises"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

expect() { # expect NAME FILE VERDICT: `any` is any but done
  local said verdict
  cp "$2" "$folder/$1.cu"
  said=$(EXERCISES=$folder "$exercise" "$1" --verdict) || said="exercise.sh ends with status $?"
  verdict=${said##*$'\n'}
  case $3:$verdict in
    any:done) ;;
    any:* | "$3:$3") return ;;
  esac
  echo "FAILED: $2: $verdict, not $3"
  while read -r line; do echo "  $line"; done <<<"$said"
  failed=1
}

[ $# -gt 0 ] || set -- [0-9][0-9]_*.cu
for file; do
  name=$(basename "$file" .cu)
  expect "$name" "$name.cu" any
  expect "$name" "solutions/$name.cu" 'done'
  wrong=(wrong/"$name".*.cu)
  [ ${#wrong[@]} -ge 3 ] || { echo "FAILED: $name has ${#wrong[@]} wrong answers"; failed=1; }
  [ "$(wc -l <"hints/$name.txt")" = 3 ] || { echo "FAILED: $name has not three hints"; failed=1; }
  for answer in "${wrong[@]}"; do
    reason=$(sed -n '1s|^// Refused as: \([a-z]*\)\..*|\1|p' "$answer")
    case $reason in
      numbers | race | access | memory | stuck | compile) expect "$name" "$answer" "$reason" ;;
      *) echo "FAILED: $answer: its first line has no reason" && failed=1 ;;
    esac
  done
done
exit $failed
