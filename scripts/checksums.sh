#!/usr/bin/env bash
# Compares checksums with those of results/checksums.csv (docs/checksums.md).
#
#   scripts/checksums.sh [--device DEVICE] [--small] [PROGRAM...]   runs these programs, or all, with the table's options and every kernel
#   scripts/checksums.sh --report FILE PROGRAM [OPTION...]          compares a report that was written with these options
#
#   --device DEVICE      cpu, cuda, emulated, ... (default: auto, as for the programs)
#   --small              only what takes seconds on an emulated GPU
#   CUDABOOK_BUILD=DIR   the build whose programs they are of (default: build/default or build/cpu)
#
# Exit status: 0 all are equal, 1 one differs or is missing, 2 the command line is wrong, 3 the machine cannot do it.
set -eo pipefail
[ "${BASH_VERSINFO[0]}" -lt 5 ] || set -u # macOS's bash, 3.2, takes an empty array for an unset variable
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
table=$root/results/checksums.csv

fail() { # fail STATUS LINE
  echo "checksums.sh: $2" >&2
  exit "$1"
}

# compare REPORT PROGRAM OPTIONS: prints one line. Status 1 if a checksum differs or none is in the table. A row for all
# kernels is not for results of tensor cores, which have the figure relative_error.
compare() {
  awk -v program="$2" -v options="$3" '
    function value(line) { sub(/^[^:]*: */, "", line); gsub(/[",]/, "", line); return line }
    function check(  row, i, parts, wanted, applies) {
      if (kernel == "" || checksum == "null") return
      for (row = 1; row <= rows; ++row) {
        if (kernels[row] == "all" ? on_tensor_cores : index(" " kernels[row] " ", " " kernel " ") == 0) continue
        applies = 1
        parts = split(where[row], wanted, ";")
        for (i = 1; i <= parts; ++i) if (index(figures, "\n" wanted[i] "\n") == 0) applies = 0
        if (!applies) continue
        ++compared
        if (checksum != published[row]) { ++wrong; differ = differ "\n  " kernel " " where[row] ": " checksum ", and published is " published[row] }
      }
    }
    FNR == NR {
      split($0, field, ",")
      if (field[1] == program && field[2] == options) { kernels[++rows] = field[4]; where[rows] = field[5]; published[rows] = field[6]; for_all += field[4] == "all" }
      next
    }
    /^  "results":/ { results = 1 }
    !results { next }
    /^    \{/ { kernel = ""; checksum = "null"; on_tensor_cores = 0; figures = "\n" }
    /^      "kernel":/ { kernel = value($0) }
    /^      "checksum":/ { checksum = value($0) }
    /^      "relative_error":/ { on_tensor_cores = 1 }
    /^      "(format|read_mode|tensor_cores)":/ { name = $1; gsub(/[":]/, "", name); figures = figures name "=" value($0) "\n" }
    /^    \}/ { check() }
    END {
      line = program (options == "" ? "" : " " options)
      if (compared == 0) { print line ": none of its kernels is in the table"; exit for_all || rows == 0 }
      print line ": " compared - wrong " of " compared " as published" differ
      exit wrong > 0
    }' "$table" "$1"
}

device=auto small=no report='' programs=()
while [ $# -gt 0 ]; do
  case $1 in
    --device | --report)
      [ $# -gt 1 ] || fail 2 "$1: a value is missing"
      if [ "$1" = --device ]; then device=$2; else report=$2; fi
      shift
      ;;
    --small) small=yes ;;
    -h | --help)
      sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit
      ;;
    -*) if [ -n "$report" ] && [ ${#programs[@]} -gt 0 ]; then programs+=("$1"); else fail 2 "$1: no such option; see --help"; fi ;;
    *) programs+=("$1") ;;
  esac
  shift
done

if [ -n "$report" ]; then
  [ ${#programs[@]} -gt 0 ] || fail 2 "--report: name the program and the options of its report"
  [ -r "$report" ] || fail 3 "$report: cannot be read"
  compare "$report" "${programs[0]}" "${programs[*]:1}"
  exit
fi

for program in "${programs[@]}"; do
  grep -q "^$program," "$table" || fail 2 "$program: the table has no such program"
done
for build in "${CUDABOOK_BUILD:-}" "$root/build/default" "$root/build/cpu"; do
  if [ -n "$build" ] && [ -x "$build/bin/heat" ]; then break; fi
done
[ -x "$build/bin/heat" ] || fail 3 "$build/bin has no programs: scripts/demo.sh builds them"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
while IFS=, read -r program options; do
  read -r -a words <<<"$options"
  result=0
  "$build/bin/$program" "${words[@]}" --device "$device" --kernel all --quiet --json "$folder/report.json" || result=$?
  case $result in
    0 | 1) compare "$folder/report.json" "$program" "$options" || status=1 ;;
    *) status=$result ;;
  esac
done < <(awk -F, -v small=$small -v programs=" ${programs[*]} " '
  NR > 1 && (small == "no" || $3 == "yes") && (programs == "  " || index(programs, " " $1 " ")) && !seen[$1 "," $2]++ { print $1 "," $2 }' "$table")
exit $status
