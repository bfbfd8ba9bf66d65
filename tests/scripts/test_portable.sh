#!/usr/bin/env bash
# The scripts that also run on macOS use nothing that its bash (3.2) and its tools lack. The scripts that need Linux say
# so.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "FAILED: $1" && failed=1; }

# Each line has a regular expression, a tab, and an example that the expression must find.
while IFS=$'\t' read -r pattern example; do
  grep -qE -e "$pattern" <<<"$example" || fail "'$pattern' does not find '$example'"
  if found=$(cd "$root/scripts" && grep -nE -e "$pattern" bootstrap.sh packages.sh demo.sh test.sh report.sh checksums.sh); then fail "$pattern: $found"; fi
done <<'END'
\b(mapfile|readarray)\b	mapfile -t lines < <(ls)
\b(declare|local|typeset) -[a-z]*[Angu]	declare -A table
;;?&( |$)	*.cu) code=yes ;;&
&>>|\|&	make |& tee log
\$\{[a-z_]+(\[[^]]*\])?(\^|,|@[A-Z])	${name^^}
\[-[0-9]+\]	${words[-1]}
\$\{[a-z_@*]+:[^}:]*: ?-[0-9]	${name:1:-1}
\[\[? -v 	[ -v name ]
\bwait -n\b	wait -n
BASHPID|EPOCHSECONDS|\bcoproc\b|globstar|lastpipe	shopt -s globstar
printf '%\(	printf '%(%F)T'
\{0[0-9]+\.\.	for i in {01..10}; do
^set -[a-z]*u	set -euo pipefail
-regextype|-printf\b|-quit\b	find . -regextype posix-extended
\bxargs [^|]*-[0-9a-z ]*[dr]\b	xargs -d '\n' rm
\bsed -i|\bsed [^|]*\\\|	sed 's/a\|b/c/'
\bgrep -[a-zA-Z]*[zP]	grep -zvE a
\b(stat -c|date [^|]*%N|date -d|mv -T|cp [^|]*--parents|realpath|timeout|tac|sha256sum)\b	stat -c %s file
\bpaste [^|]*'(\)|$| *\|)	paste -s -d ';'
nproc\)	count=$(nproc)
END

printf '#!/bin/sh\necho Darwin\n' >"$folder/uname"
chmod +x "$folder/uname"
needs_linux() { # needs_linux SCRIPT ARGUMENT: status 3 and one line
  local status=0 said
  said=$(PATH=$folder:$PATH "$root/scripts/$1" "$2" 2>&1) || status=$?
  if [ $status != 3 ] || [[ $said == *$'\n'* ]] || [[ $said != "$1: "*Linux* ]]; then fail "$1 on macOS: status $status: $said"; fi
}
needs_linux cudabook-nvcc heat.cu
needs_linux exercise.sh 1
exit $failed
