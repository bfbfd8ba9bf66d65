#!/usr/bin/env bash
# one_definition.sh COMPILER "WORDS" LINKER SOURCE...: compiles each source with these words, and checks that all of them define
# the same classes and functions. The linker, GNU's g++, compares them.
set -euo pipefail
compiler=$1 linker=$3
read -ra words <<<"$2"
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
objects=()
for source; do
  objects+=("$folder/${#objects[@]}.o")
  "$compiler" "${words[@]}" -Xcompiler -flto -c "$source" -o "${objects[-1]}"
done
"$linker" -flto -r -flinker-output=nolto-rel -Wodr -Werror=odr "${objects[@]}" -o "$folder/all.o"
