#!/usr/bin/env bash
# Sets up, builds, runs every program without a window and ends in a table. Exit status 1: a program failed.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# != 0 ]; then
  echo "demo.sh: $1: it takes no options" >&2
  exit 2
fi

programs=(
  "heat_notexture --headless --frames 10"
  "heat           --headless --frames 10 --png build/demo/heat.png"
  "tex1dfetch_big 512"
  "tex1dfetch_int2float"
  "matmul         --size 256"
)

# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh build
# shellcheck disable=SC2046 # one word for each program
build "$preset" $(printf '%s\n' "${programs[@]}" | awk '{ print $1 }')

row="%-20s %-42s %-16s %-10s %-32s %-10s %-9s %10s\n"
rows_of() { # rows_of PROGRAM REPORT: a row for each result
  awk -v program="$1" -v row="$row" '
    function value() { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); return $0 }
    /"results":/ { results = 1 }
    !results && /"name":/ { device = value() }
    !results { next }
    /"kernel":/ { kernel = value() }
    /"memory":/ { memory = value() }
    /"checksum":/ { checksum = value() }
    /"verified":/ { verified = value() }
    /"components":/ { what = "by " value() }
    /"format":/ { what = value() }
    /"read_mode":/ { what = what ", " value() }
    /"ms(_per_frame)?":/ { ms = sprintf("%.3f", value()) }
    /}/ && kernel { printf row, program, device, kernel, memory, what, checksum, verified, ms; kernel = what = ms = "" }' "$2"
}

mkdir -p build/demo
failed=0
# shellcheck disable=SC2059 # the format is $row
table=$(printf "$row" program device kernel memory "read as" checksum verified ms)
for program in "${programs[@]}"; do
  read -r -a words <<<"$program"
  name=${words[0]}
  report=build/demo/$name.json
  echo "== ${words[*]}"
  rm -f "$report"
  status=0
  "build/$preset/bin/$name" "${words[@]:1}" --kernel all --json "$report" || status=$?
  if [ -e "$report" ]; then table+=$'\n'$(rows_of "$name" "$report"); fi
  if [ "$status" != 0 ]; then
    failed=1
    table+=$'\n'"$name: FAILED, exit status $status"
  fi
done
printf '\n%s\n' "$table"
exit "$failed"
