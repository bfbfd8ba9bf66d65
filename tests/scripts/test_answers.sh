#!/usr/bin/env bash
# test_answers.sh: each page has as many exercises as docs/course/answers.md has answers. Commands runs the commands of the answers.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
answers=$root/docs/course/answers.md
failed=0

numbers() { # numbers FILE HEADING: the numbers of the list items in a section
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
