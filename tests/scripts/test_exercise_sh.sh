#!/usr/bin/env bash
# test_exercise_sh.sh: all that scripts/exercise.sh does besides a verdict: the list, hints, --watch, --trace, the
# verdicts of a class, wrong arguments.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'kill "${watcher:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$root" cudabook
mkdir answers
cp "$root"/exercises/[0-9][0-9]_*.cu answers
export EXERCISES=answers
exercise=cudabook/scripts/exercise.sh

fail() { echo "FAILED: $1" && exit 1; }
says() { # says STATUS TEXT ARGUMENT...
  local status=0
  "$exercise" "${@:3}" >said 2>&1 || status=$?
  [ $status = "$1" ] || fail "exercise.sh ${*:3}: status $status, not $1: $(cat said)"
  grep -q -e "$2" said || fail "exercise.sh ${*:3} does not say '$2': $(cat said)"
}
comes() { # comes TEXT: waits until --watch has printed TEXT
  for _ in {1..3000}; do
    if grep -q "$1" watched; then return; fi
    kill -0 "$watcher" 2>/dev/null || fail "--watch has ended: $(cat watched)"
    sleep 0.1
  done
  fail "--watch does not say '$1': $(cat watched)"
}

says 2 '99: no such exercise' 99
says 2 '--fast: no such option' 1 --fast
says 2 'one exercise at a time' 1 2
says 2 '--json is for --all' 1 --json verdicts.json
for option in '--hint 2' --verdict --watch --trace --gpu; do
  # shellcheck disable=SC2086 # one or two words
  says 2 "^exercise.sh: ${option% *}: the exercise is missing" $option
done
says 3 '--json: cannot write none/verdicts.json' --all --json none/verdicts.json
says 3 '--json: cannot write answers' --all --json answers
says 0 "$(sed -n 2p "$root/exercises/hints/01_index.txt" | cut -c1-20)" index --hint 2

says 0 '^ *01_index ' # not done yet
if grep -q '^done' said; then fail "done before it was checked: $(cat said)"; fi
"$exercise" 1 --watch >watched 2>&1 &
watcher=$!
comes 'A race:'
cp "$root/exercises/solutions/01_index.cu" answers/01_index.cu
comes 'Done\.'
if grep -q $'\e' watched; then fail "colours in a file"; fi
kill "$watcher"
says 0 '^done  01_index ' # the list
echo >>answers/01_index.cu
says 0 '^ *01_index ' # the answer has changed since

says 0 '01_index.html' 01_index --trace
grep -q '"kernel":"' answers/.done/01_index.html || fail "--trace has no kernel"

# class.yml, with one right answer, one missing answer and other answers that do not compile, by a compiler that speaks
# German. The old verdicts stay until the new verdicts are complete.
cat >compiler <<'X'
#!/usr/bin/env bash
grep -q yesterday verdicts.json || touch emptied
if [ "${LC_ALL:-}" = C ]; then exec g++ "$@"; fi
exec g++ "$@" 2> >(sed 's/In file included from/In Datei, eingebunden von/; s/ error:/ Fehler:/' >&2)
X
chmod +x compiler
export CXX=$folder/compiler
echo yesterday >verdicts.json
for answer in answers/*_*.cu; do echo '#error nothing' >"$answer"; done # which takes no time
echo 'nothing' >answers/03_grid_stride.cu
cp "$root/exercises/solutions/01_index.cu" answers/01_index.cu
rm answers/02_bounds.cu
command=$(sed -n 's/^ *- run: \(EXERCISES=.*\)/\1/p' "$root/exercises/class.yml")
status=0
LC_ALL=C.UTF-8 bash -ec "$command" >said 2>&1 || status=$?
[ ! -e emptied ] || fail "--json empties its file before it has the verdicts"
[ ! -e verdicts.json.part ] || fail "--json leaves its temporary file"
[ $status = 1 ] || fail "$command: status $status: $(cat said)"
"${PYTHON:-python3}" - verdicts.json <<'Y' || fail "$command: $(cat verdicts.json)"
import json, sys
verdicts = {each["exercise"]: each for each in json.load(open(sys.argv[1]))}
assert verdicts["01_index"]["verdict"] == "done", verdicts["01_index"]
assert all(each["verdict"] == "compile" for name, each in verdicts.items() if name != "01_index"), verdicts
text = verdicts["03_grid_stride"]["text"]
assert "03_grid_stride.cu:1" in text and " error:" in text and "included from" not in text and "eingebunden" not in text, text
Y
