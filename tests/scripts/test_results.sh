#!/usr/bin/env bash
# scripts/results.py keeps no times of an emulated GPU.
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
if [ "$said" != "results.py: heat: measured on an emulated GPU, whose times are kept nowhere" ] || [ -e results/a-gpu-emulated.json ]; then
  echo "FAILED: $said"
  exit 1
fi
echo "passed"
