#!/usr/bin/env bash
# Writes the GPU's counters for access_patterns to results/access_patterns-counters-DEVICE.csv: an array that does not
# fit into the cache is read in all patterns by all kernels. Needs ncu (Nsight Compute) and a driver that permits
# counting. The clocks stay as they are. The program is build/default/bin/access_patterns, or $1.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/default/bin/access_patterns}
device=$(nvidia-smi --query-gpu=name --format=csv,noheader -i 0 | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]\+/-/g')
file=results/access_patterns-counters-$device.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

metrics=$(python3 scripts/access-patterns-counters.py --metrics)
pairs=()
for element in 1 2 4 8 16; do
  pairs+=("$folder/$element.json" "$folder/$element.csv")
  ncu --clock-control none --csv --page raw --metrics "$metrics" \
    --kernel-name 'regex:^(global|ldg|linear|texture2d|surface|wide)_kernel$' \
    "$program" --size 262144 --element "$element" --kernel all --json "$folder/$element.json" >"$folder/$element.csv"
done
python3 scripts/access-patterns-counters.py "${pairs[@]}" >"$folder/table"
mv "$folder/table" "$file"
echo "wrote $file"
