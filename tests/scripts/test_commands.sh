#!/usr/bin/env bash
# test_commands.sh BUILD: scripts/commands.py runs the commands that pages print, refuses commands that do not do what
# their page says, and names the commands that it leaves out.
set -euo pipefail
trap 'echo "FAILED: line $LINENO"' ERR
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

run() { # run OPTION... PAGE...: sets `status` and `said`
  status=0
  said=$(cd "$folder" && python3 "$OLDPWD/scripts/commands.py" "$@" 2>&1) || status=$?
  said=${said//$folder\//}
}
expect() { # expect STATUS TEXT...: the last run ended with STATUS and printed these texts in this order
  local pattern='*' text
  for text in "${@:2}"; do pattern+="$(printf %q "$text")*"; done
  # shellcheck disable=SC2053 # a pattern
  if [ $status = "$1" ] && [[ $said = $pattern ]]; then return; fi
  printf 'FAILED: status %s, not %s and' $status "$1" && printf " '%s'" "${@:2}" && printf ':\n%s\n' "$said"
  failed=1
}

cat >"$folder/good.md" <<'PAGE'
```
heat --device cpu --headless --frames 1      # f7cb8b0a
echo kept >kept.txt
```

The second is `python3 -c 'print(open("kept.txt").read())'`, and `heat` is no command, nor is `python3`. Wrapped it is one: `python3 -c
"print(1)"`.

1. A list.

   ```console
   $ printf 'one   line\nof two\n...\nthe end\n'
   one line of
   ...
   the end
   ```

```text
false
```

<!-- commands
file show.txt
file heat.cu = tests/legacy/heat.cu
-->

```
grep false show.txt
for name in 1 2; do
  diff heat.cu tests/legacy/heat.cu
done
heat --speed warm
heat --video warm
false
test -n '' FILE
no_such_tool
sleep 1000
```

<!-- commands
status 2: heat --speed warm
  --speed
person: false
needs no_such_tool: no_such_tool
needs python3, minutes: sleep ...
status 3, prints: heat --video ...
  heat:
-->
PAGE
cat >"$folder/bad.md" <<'PAGE'
It takes `heat --speed warm`.

```
ls kept.txt
echo sheet.png
heat --device cpu --headless --frames 1      # 00000000
heat --version
heat --speed warm
```

```console
$ printf 'one\ntwo\n'
two
one
```

<!-- commands
status 3: heat --version
prints: echo ...
  heat.png
-->
PAGE
run "$build" good.md
expect 0 "good.md:36: not run, no no_such_tool: no_such_tool" "good.md: 9 commands ran"
run "$build" good.md bad.md
expect 1 "good.md: 9 commands ran" \
  "FAILED: bad.md:1: heat --speed warm" "status 2, not 0:" "--speed" \
  "FAILED: bad.md:4: ls kept.txt" \
  "FAILED: bad.md:5: echo sheet.png" "'heat.png' is not printed:" "sheet.png" \
  "FAILED: bad.md:6: heat --device cpu" "'00000000' is not printed:" "f7cb8b0a" \
  "FAILED: bad.md:7: heat --version" "status 0, not 3:" \
  "FAILED: bad.md:8: heat --speed warm" \
  "FAILED: bad.md:12: printf" "'one' is not printed behind what stands before it:" \
  "bad.md: 7 commands ran"

cat >"$folder/long.md" <<'PAGE'
```
echo slow.png
false
```

<!-- commands
minutes: echo slow.png
-->
PAGE
run --takes seconds "$build" long.md
expect 0
run --takes minutes "$build" long.md
expect 1 "FAILED: long.md:2: echo slow.png" "there is no slow.png afterwards" "long.md: 1 commands ran"

printf '<!-- commands\nminutes: heat --faster\n-->\n' >"$folder/stale.md"
printf '%s\n' "\`heat --version --quiet\`" '' '<!-- commands' 'dull: heat --version ...' '-->' >"$folder/dull.md"
printf '<!-- commands\nheat --version\n-->\n' >"$folder/bare.md"
run --list stale.md dull.md bare.md good.md
expect 1 "stale.md:2: the page has no command heat --faster" "dull.md:4: dull is no reason" "bare.md:2: neither REASON: COMMAND nor file NAME" \
  "good.md:34: it waits for a person: false" "good.md:35: a word of capitals" "good.md:36: needs no_such_tool: no_such_tool" \
  "good.md:37: needs python3, minutes: sleep 1000"
exit $failed
