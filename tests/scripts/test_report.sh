#!/usr/bin/env bash
# scripts/report.sh: the report of test.sh --report is JSON with the counts of ctest's output. scripts/platforms.py makes
# docs/platforms.md from such reports, and refuses a report that lacks something.
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD
python3 scripts/platforms.py --check

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,docs,build/dev,results/platforms}
cp scripts/platforms.py "$folder/scripts"
cd "$folder"
printf '#!/bin/sh\necho "g++ (\\"new\\") 99.1"\necho more\n' >g++
chmod +x g++
echo "CMAKE_CXX_COMPILER:FILEPATH=$folder/g++" >build/dev/CMakeCache.txt
cat >build/dev-tests.log <<'END'
      Start 1: Heat.Runs
 1/5 Test #1: Heat.Runs ........................   Passed    0.02 sec
 2/5 Test #3: Heat.Ends ........................***Failed    0.02 sec
 3/5 Test #4: Window ...........................***Skipped   0.02 sec
 4/5 Test #2: Heat.Waits .......................***Timeout  99.02 sec
 5/5 Test #10: Heat.Says "   Passed    1 sec" ..***Exception: SegFault  0.02 sec
FAILED: 'said 7/9 Test #7: Heat.Runs .........   Passed    0.02 sec'
END
(
  has_driver() { false; }
  has() { true; }
  # shellcheck disable=SC2034 # for device_here
  nvcc="" CUDABOOK_COMMIT=12345678
  # shellcheck source=scripts/report.sh
  . "$repository/scripts/report.sh"
  report_check "build" 7 passed
  report_check "tests" 12 failed dev
  CUDABOOK_PROCESSOR="a processor" write_report results/platforms/one.json "scripts/test.sh --all" \
    $'a "quoted" reason\n' 'C:\path'
)
python3 - <<'END'
import json
report = json.load(open("results/platforms/one.json", encoding="utf-8"))
assert report["checks"] == [
    {"name": "build", "seconds": 7, "result": "passed"},
    {"name": "tests", "seconds": 12, "result": "failed", "compiler": 'g++ ("new") 99.1', "passed": 1, "failed": 3, "skipped": 1}], report
assert report["not_run"] == ['a "quoted" reason ', "C:\\path"], report
assert (report["device"], report["commit"], report["processor"]) == ("emulated GPU", "12345678", "a processor"), report
assert report["command"] == "scripts/test.sh --all", report
END
if compgen -G 'results/platforms/*.part'; then exit 1; fi

python3 scripts/platforms.py
python3 scripts/platforms.py --check
date=$(sed -n 's/.*"date": "\(.*\)",$/\1/p' results/platforms/one.json)
# shellcheck disable=SC2016 # a page, no command
grep -qF '| g++ 99.1 | emulated GPU | 12345678 | '"$date"' | tests: FAILED | 1 | 3 | 1 | `scripts/test.sh --all` |' docs/platforms.md

refused() { # refused WORDS: platforms.py --check refuses with these words
  local said
  if said=$(python3 scripts/platforms.py --check 2>&1) || [[ $said != *"$1"* ]]; then
    echo "FAILED: '$said', expected '$1'" >&2
    exit 1
  fi
}
cp results/platforms/{one,two}.json
refused "docs/platforms.md was not made of results/platforms"
echo '{"system": "Debian"}' >results/platforms/two.json
refused "two.json: it lacks 'architecture'"
echo '{"system": ' >results/platforms/two.json
refused "two.json: Expecting value"
echo '[]' >results/platforms/two.json
refused "two.json: list indices"
sed 's/"compiler"/"by"/' results/platforms/one.json >results/platforms/two.json
refused "two.json: no test ran"
rm results/platforms/two.json

# The names of compilers.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts python3 - <<'END'
from platforms import compiler
for version, name in (("g++ (GCC) 14.2.1 20240912 (Red Hat 14.2.1-3)", "g++ 14.2.1 20240912"), ("Debian clang version 14.0.6", "clang 14.0.6"),
                      ("c++ (Debian 12.2.0-14) 12.2.0", "g++ 12.2.0"), ("g++-11 (Debian 11.3.0-12) 11.3.0", "g++-11 11.3.0")):
    assert compiler(version) == name, compiler(version)
END
