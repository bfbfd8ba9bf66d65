#!/usr/bin/env bash
# test_bugs.sh CUDABOOK_NVCC BUILD COMPILER [--part PART PARTS | BUG...]: a student's mistakes, bugs/*.cu. Each program is wrong, and its second line
# says what finds the mistake: a run, also one that is optimized or needs protection keys, the compiler, --check or --check=race; there may
# be several, with commas. The third line is a regular expression for what is then said. With -DREPAIRED the program is right, and the same commands print
# "right" and nothing else. Programs in silent/ have no mistake, though a tool could take them for wrong.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=$3 CUDABOOK_SECOND_READER=none CUDABOOK_LAUNCH_TIMEOUT=${CUDABOOK_PATIENCE:-1}
shift 3
cd "$(dirname "$0")/bugs"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
keys=no
printf '%s\n' '#define _GNU_SOURCE' '#include <sys/mman.h>' 'int main() { return pkey_alloc(0, 0) < 0; }' >"$folder/keys.c"
read -ra compiler <<<"$CXX" # perhaps several words: ccache g++
if "${compiler[@]}" -x c "$folder/keys.c" -o "$folder/keys" && "$folder/keys"; then keys=yes; fi
leaks=no # LeakSanitizer needs ptrace(2), which QEMU's programs lack
echo 'int main() {}' >"$folder/leaks.c"
if "${compiler[@]}" -fsanitize=address -x c "$folder/leaks.c" -o "$folder/leaks" && "$folder/leaks" 2>/dev/null; then leaks=yes; fi
[ $leaks = yes ] || export ASAN_OPTIONS=detect_leaks=0
silent=()
if [ $# = 0 ]; then set -- --part 0 1; fi
if [ "$1" = --part ]; then
  part=$2 parts=$3 programs=(*.cu ../silent/*.cu)
  set --
  for ((i = part; i < ${#programs[@]}; i += parts)); do
    case ${programs[i]} in ../silent/*) silent+=("${programs[i]}") ;; *) set -- "$@" "${programs[i]}" ;; esac
  done
fi

run() { # run WAY SOURCE WORD...: sets `said`
  local way=$1 words=(--emulate -O0) # without a program that counts
  shift
  case $way in
    --check*) words=("$way") ;;
    'the compiler' | 'an optimized run') words=(--emulate) ;;
  esac
  said=$({
    "$nvcc" "${words[@]}" "$@" -o "$folder/program" && case $way in --check*) ;; *) "$folder/program" ;; esac
  } 2>&1 | grep -v '^cudabook-nvcc: for the emulated GPU$') || true
}

for bug; do
  { read -r _ && read -r found && read -r says; } <"$bug"
  says=${says#// Says: }
  found=${found#// Found by: }
  mapfile -t ways <<<"${found//, /$'\n'}"
  for way in "${ways[@]}"; do
    if [ "$way" = 'a run with protection keys' ] && [ $keys = no ]; then
      echo "SKIPPED: $bug, by $way: there are none here"
      continue
    fi
    if [[ $says = *'leak of'* ]] && [ $leaks = no ]; then
      echo "SKIPPED: $bug, by $way: LeakSanitizer does not run here"
      continue
    fi
    run "$way" "$bug"
    grep -qE -e "$says" <<<"$said" || { echo "FAILED: $bug, by $way: it says: $said" && failed=1; }
    run "$way" -DREPAIRED "$bug"
    [ "$said" = right ] || { echo "FAILED: $bug, repaired, by $way: it says: $said" && failed=1; }
  done
done
for program in "${silent[@]}"; do
  { read -r _ && read -r found; } <"$program"
  found=${found#// Silent: }
  mapfile -t ways <<<"${found//, /$'\n'}"
  for way in "${ways[@]}"; do
    run "$way" "$program"
    [ "$said" = right ] || { echo "FAILED: $program, by $way: it says: $said" && failed=1; }
  done
done
exit $failed
