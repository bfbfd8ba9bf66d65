#!/usr/bin/env bash
# Sets up, builds and measures: results/DEVICE.json for the GPU, where there is one, and for the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=(heat_notexture heat)

# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh benchmark
build "$preset" "${programs[@]}"

devices=(cpu)
if [ -n "$nvcc" ] && has_driver; then devices=(cuda cpu); fi
for device in "${devices[@]}"; do
  reports=build/benchmark/$device
  mkdir -p "$reports"
  for program in "${programs[@]}"; do
    echo "== $program on $device"
    "build/$preset/bin/$program" --device "$device" --headless --kernel all --benchmark --json "$reports/$program.json"
  done
  python3 - "$reports" "${programs[@]}" <<'PYTHON'
import json, pathlib, re, sys

folder, *programs = sys.argv[1:]
reports = {program: json.loads(pathlib.Path(folder, program + ".json").read_text()) for program in programs}
name = reports[programs[0]]["device"]["name"]
path = pathlib.Path("results", re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") + ".json")
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps(reports, indent=2) + "\n")
print("wrote", path)
PYTHON
done
