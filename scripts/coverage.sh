#!/usr/bin/env bash
# Which programs of a folder the emulated GPU runs: compiles each by cudabook-nvcc --emulate, runs it, and prints a table.
#
#   scripts/coverage.sh [--seconds N] [--keep FOLDER] [-I FOLDER]... FOLDER
#
#   --seconds N          how long a program may run (default: 30)
#   --keep FOLDER        keeps there what the compiler and the programs print
#   -I FOLDER            a further folder with headers of all programs
#   CUDABOOK_BUILD=DIR   the build of cudabook to use
#
# A folder that has .cu files is a program, with its .cpp, .cc and .c files. If several of its files have a main(), each .cu
# file with a main() is one. It gets -I for the folders inc, include, Common and common beside it and above it, and runs in
# its folder without input.
#
# Exit status: 0 all programs run and end with 0, 1 one does not, 2 the command line is wrong, 3 the machine cannot do it.
set -euo pipefail

fail() { # fail STATUS LINE
  echo "coverage.sh: $2" >&2
  exit "$1"
}

[ "$(uname)" = Linux ] || fail 3 "it needs Linux, as the emulated GPU does"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# ----- the command line

seconds=30 keep='' folder='' headers=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds)
      case ${2:-} in '' | *[!0-9]* | 0*) fail 2 "--seconds: a whole number from 1 up is missing" ;; esac
      seconds=$2
      shift
      ;;
    --keep)
      [ -n "${2:-}" ] || fail 2 "--keep: a folder is missing"
      keep=$2
      shift
      ;;
    -I)
      [ -d "${2:-}" ] || fail 2 "-I: a folder is missing"
      headers+=("-I$(cd "$2" && pwd)")
      shift
      ;;
    -h | --help)
      sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
      exit
      ;;
    -*) fail 2 "$1: no such option; see --help" ;;
    *)
      [ -z "$folder" ] || fail 2 "$1: one folder at a time"
      folder=$1
      ;;
  esac
  shift
done
[ -n "$folder" ] || fail 2 "the folder with the programs is missing; see --help"
[ -d "$folder" ] || fail 2 "$folder: no such folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
if [ -n "$keep" ]; then
  mkdir -p "$keep" 2>/dev/null || fail 3 "--keep: cannot write $keep"
  keep=$(cd "$keep" && pwd)
fi

# ----- the programs

has_main() { grep -qE '(^|[^A-Za-z0-9_])main[[:space:]]*\(' "$1"; }

include_options() { # include_options FOLDER: sets `includes`: of the program's folder, those above it, and Common above $folder
  local at=$1 name
  includes=("-I$at" "${headers[@]}")
  while :; do
    for name in inc include Common common; do
      case $at/ in "$folder"/*) ;; *) case $name in inc | include) continue ;; esac ;; esac
      if [ -d "$at/$name" ]; then includes+=("-I$at/$name"); fi
    done
    [ "$at" != / ] || break
    at=$(dirname "$at")
  done
}

first_error() { # first_error FILE...: the line that says most, of at most 150 characters
  local line
  line=$(cat "$@" | tr -d '\r' | grep -aiE -m1 'error|needs real CUDA|undefined|fail|terminate|cannot' || true)
  [ -n "$line" ] || line=$(cat "$@" | grep -av -e '^cudabook-nvcc: for the emulated GPU$' -e '^[[:space:]]*$' | tail -1 || true)
  line=${line//"$folder"\//}
  printf '%s' "${line:0:150}"
}

row() { printf "%-${width}s  %-8s  %-4s  %-6s  %s\n" "$@" | sed 's/ *$//'; }

compiled=0 running=0 programs=0
try() { # try NAME SOURCE...: compiles and runs a program, and prints its row
  local name=$1 place out options=() status=0
  shift
  place=$(dirname "$1")
  out=$temporary/${name//\//_}
  include_options "$place"
  if grep -qE '#[[:space:]]*(include[[:space:]]*<omp\.h>|pragma[[:space:]]+omp)' "$@"; then options=(-Xcompiler -fopenmp); fi
  programs=$((programs + 1))
  "$root/scripts/cudabook-nvcc" --emulate "${includes[@]}" "${options[@]}" "$@" -o "$out.program" >"$out.compiler" 2>&1 </dev/null || status=$?
  if [ $status = 3 ]; then fail 3 "$(first_error "$out.compiler")"; fi
  if [ $status != 0 ]; then
    row "$name" no - - "$(first_error "$out.compiler")"
  else
    compiled=$((compiled + 1))
    (cd "$place" && exec timeout -k 5 "$seconds" "$out.program" >"$out.out" 2>"$out.err" </dev/null) 2>/dev/null || status=$?
    case $status in
      0)
        running=$((running + 1))
        row "$name" yes yes 0 ''
        ;;
      124 | 137) row "$name" yes no - "it does not end in $seconds s" ;;
      *) row "$name" yes no $status "$(first_error "$out.err" "$out.out")" ;;
    esac
  fi
  if [ -n "$keep" ]; then
    for one in compiler out err; do if [ -e "$out.$one" ]; then cp "$out.$one" "$keep"; fi; done
  fi
  rm -f "$out".*
}

mapfile -t folders < <(find "$folder" -name '.?*' -prune -o -name '*.cu' -type f -printf '%h\n' | LC_ALL=C sort -u)
[ ${#folders[@]} -gt 0 ] || fail 2 "$folder: no .cu file is in it"
width=12
for one in "${folders[@]}"; do
  one=${one#"$folder"}
  if [ ${#one} -gt "$width" ]; then width=${#one}; fi
done
row program compiled runs status 'first error'
for one in "${folders[@]}"; do
  sources=() mains=()
  for file in "$one"/*.cu "$one"/*.cpp "$one"/*.cc "$one"/*.c; do
    [ -f "$file" ] || continue
    sources+=("$file")
    if has_main "$file"; then mains+=("$file"); fi
  done
  name=${one#"$folder"}
  name=${name#/}
  if [ ${#mains[@]} -gt 1 ]; then
    for file in "${mains[@]}"; do
      case $file in *.cu) try "${name:+$name/}$(basename "$file" .cu)" "$file" ;; esac
    done
  else
    try "${name:-$(basename "$folder")}" "${sources[@]}"
  fi
done
echo
echo "of $programs, compiled: $compiled, ran and ended with 0: $running"
[ $running = $programs ]
