#!/usr/bin/env bash
# scripts/coverage_page.py: emulator/coverage.md is made of its list, and faults of the list are refused with their line.
set -euo pipefail
cd "$(dirname "$0")/../.."

python3 scripts/coverage_page.py --check

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,emulator,tests/emulator}
cp scripts/coverage_page.py "$folder/scripts"
echo "indices: 1" >"$folder/tests/emulator/features-h200.txt"
echo "TEST(Engine, Runs) {}" >"$folder/tests/test_engine.cpp"
list=$folder/tests/emulator/coverage.txt

printf '# Threads\nindices | supported | feature indices, Engine.Runs\n' >"$list"
python3 "$folder/scripts/coverage_page.py"
# shellcheck disable=SC2016 # a page, no command
grep -qxF '| indices | supported | `indices`, [Engine.Runs](../tests/test_engine.cpp) |' "$folder/emulator/coverage.md"
python3 "$folder/scripts/coverage_page.py" --check

refused() { # refused LINE WORDS: a list with this line is refused with these words
  local said
  echo "$1" >>"$list"
  if said=$(python3 "$folder/scripts/coverage_page.py" --check 2>&1) || [[ $said != *"$2"* ]]; then
    echo "FAILED: '$1': '$said', expected '$2'" >&2
    exit 1
  fi
  sed -i '$d' "$list"
}
refused "sizes | supported | feature sizes" "tests/emulator/coverage.txt:3: there is no test 'feature sizes'"
refused "sizes | supported | Engine.Runs, Engine.Ends" "there is no test 'Engine.Ends'"
refused "sizes | perhaps | Engine.Runs" "'perhaps' is no verdict"
refused "sizes | refused | Engine.Runs" "'refused' is no verdict"
refused "sizes | supported | Engine.Runs" "was not made of tests/emulator/coverage.txt"
