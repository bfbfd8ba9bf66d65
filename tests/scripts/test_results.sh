#!/usr/bin/env bash
# scripts/results.py keeps no times of an emulated GPU, and scripts/result_files.py reads the same reports that it has
# written.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '{"sample": "heat", "device": {"kind": "emulated", "name": "a GPU (emulated)"}, "parameters": {}, "results": [], "ok": true}' \
  >"$folder/heat.json"
if said=$(python3 scripts/results.py "$folder" 2>&1); then
  echo "FAILED: it was accepted: $said"
  exit 1
fi
if [ "$said" != "results.py: heat: measured on an emulated GPU, whose times are kept nowhere" ] || [ -e results/a-gpu-emulated ]; then
  echo "FAILED: $said"
  exit 1
fi
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts python3 - "$folder/device" <<'PYTHON'
import pathlib
import sys

import result_files

folder = pathlib.Path(sys.argv[1])
long = {"sample": "heat", "device": {"name": "a GPU"}, "results": [{"kernel": "a", "ms": i / 7} for i in range(1001)], "ok": True}
short = {"sample": "heat_notexture", "results": [{"kernel": "b"}]}
none = {"sample": "matmul", "results": []}
for number, (name, report) in enumerate([("heat", long), ("heat_notexture", short), ("matmul", none)]):
    assert len(result_files.write(folder, name, report)) == [3, 1, 1][number]
assert result_files.read(folder) == {"heat": long, "heat_notexture": short, "matmul": none}
result_files.write(folder, "heat", short)
assert result_files.read(folder) == {"heat": short, "heat_notexture": short, "matmul": none}, "a longer report's files stayed"
PYTHON
# Every committed report names the commit that was measured, and has at most 300000 bytes, which a reader of the
# repository can load.
for file in results/*/*.json; do
  if ! grep -q '"commit": "[0-9a-f]\{7,\}' "$file" || [ "$(stat -c %s "$file")" -gt 300000 ]; then
    echo "FAILED: $file"
    exit 1
  fi
done
echo "passed"
