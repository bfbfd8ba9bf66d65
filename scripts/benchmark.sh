#!/usr/bin/env bash
# Sets up, builds and measures: results/DEVICE.json for the GPU, where there is one, and for the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=(heat_notexture heat)

# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh benchmark
build "$preset" "${programs[@]}"

measure() { # measure KIND PROGRAM...: each program's report into results/DEVICE.json
  local reports=build/benchmark/$1
  mkdir -p "$reports"
  for program in "${@:2}"; do
    echo "== $program on $1"
    "build/$preset/bin/$program" --device "$1" --benchmark --json "$reports/$program.json"
  done
  python3 - "$reports" "${@:2}" <<'PYTHON'
import json, pathlib, re, sys

folder, *programs = sys.argv[1:]
reports = {program: json.loads(pathlib.Path(folder, program + ".json").read_text()) for program in programs}
peers = pathlib.Path(folder, "peers.jsonl")
if peers.exists():
    reports["heat"]["peers"] = [json.loads(line) for line in peers.read_text().splitlines()]
name = reports[programs[0]]["device"]["name"]
path = pathlib.Path("results", re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") + ".json")
path.write_text(json.dumps(reports, indent=2) + "\n")
print("wrote", path)
PYTHON
}

if [ -n "$nvcc" ] && has_driver; then measure cuda "${programs[@]}"; fi

# The two rooms share their solvers on the CPU. Beside them: what one would write without the suite.
mkdir -p build/benchmark/cpu
c++ -std=c++20 -O3 -march=native -fopenmp -ffp-contract=off scripts/peers/heat_plain_loops.cpp -o build/benchmark/plain_loops
for side in 1024 4096 8192; do build/benchmark/plain_loops $side; done | tee build/benchmark/cpu/peers.jsonl
measure cpu heat
python3 scripts/tables.py
