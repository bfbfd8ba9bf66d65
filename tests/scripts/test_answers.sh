#!/usr/bin/env bash
# test_answers.sh BIN: the commands of docs/course/answers.md, with the programs of this folder, print the lines that stand below them, in this
# order. A command stands behind `$ ` in a block of ```console; a line may be part of one of the output's, and its blanks are of any length. And
# each page has as many exercises as answers.
set -euo pipefail
PATH=$(realpath "$1"):$PATH
root=$(cd "$(dirname "$0")/../.." && pwd)
answers=$root/docs/course/answers.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0 commands=0

squeezed() { sed 's/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//' "$@"; }

run() { # run COMMAND: prints into the file `output`, of which nothing is read yet
  commands=$((commands + 1)) command=$1 line=0
  bash -c "$1" >printed 2>errors || { echo "FAILED: $1: status $?" && cat errors && failed=1; }
  squeezed printed >output
}

expect() { # expect TEXT: in a line of the output behind those that were found
  local found
  if found=$(tail -n "+$((line + 1))" output | grep -nF -m 1 -e "$1"); then
    line=$((line + ${found%%:*}))
  else
    echo "FAILED: $command: no '$1' behind line $line of" && cat output && failed=1
  fi
}

inside=no
while IFS= read -r text; do
  case $inside:$text in
    no:'```console') inside=yes ;;
    yes:'```') inside=no ;;
    yes:'$ '*) run "${text#'$ '}" ;;
    yes:... | no:*) ;;
    *) expect "$text" ;;
  esac
done < <(squeezed "$answers")
[ $commands -gt 0 ] || { echo "FAILED: $answers has no commands" && failed=1; }

numbers() { # numbers FILE HEADING: of the list items of that section
  awk -v heading="## $2" '/^## / { inside = $0 == heading } inside && /^[0-9]+[.] / { printf "%s ", $1 }' "$1"
}
compare() { # compare PAGE HEADING HEADING_OF_ANSWERS
  local asked given
  asked=$(numbers "$1" "$2") given=$(numbers "$answers" "$3")
  [ -n "$asked" ] && [ "$asked" = "$given" ] && return
  echo "FAILED: $1 has the exercises $asked and $answers the answers $given" && failed=1
}
for page in "$root"/*/README.md; do
  if grep -q '^## Exercise$' "$page"; then compare "$page" Exercise "$(basename "$(dirname "$page")")"; fi
done
compare "$root/docs/emulation.md" "Find the bug" "Find the bug"
exit $failed
