#!/usr/bin/env bash
# Measures the speed of the emulated GPU on this machine, and of Numba's CUDA simulator on the same step of heat at
# 64×64. It builds the programs that it needs; Numba comes from PyPI, into build/tools/numba. Exit status 1: the two
# grids differ, or the factor is below 500.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh build
build "$preset" heat matmul ${nvcc:+emulated}
programs=build/$preset/bin
(from_pypi numba 'numba>=0.61')
export PYTHONPATH=$PWD/build/tools/numba

# field NAME: prints a field of the JSON on stdin, of the first result if there are any
field() {
  python3 -c 'import json, sys; report = json.load(sys.stdin); print(report.get("results", [report])[0][sys.argv[1]])' "$1"
}
# heat KERNEL SIDE OPTION...: prints the report of the emulated GPU
heat() {
  "$programs/heat" --device emulated --headless --quiet --kernel "$1" --width "$2" --height "$2" --json - "${@:3}"
}

numba=$(NUMBA_ENABLE_CUDASIM=1 python3 scripts/peers/heat_numba.py 64 2)
checksum=$(heat book 64 --frames 1 --steps-per-frame 2 | field checksum)
if [[ $checksum != "$(field checksum <<<"$numba")" ]]; then
  echo "emulation-speed.sh: after two steps, heat's grid is $checksum, and Numba's $numba" >&2
  exit 1
fi
by_numba=$(field cells_per_s <<<"$numba")
by_heat=$(heat book 64 --frames 50 --no-verify | field gcells_per_s)
printf 'heat book, 64x64: %s million cells/s; Numba: %s cells/s\n' "$(awk "BEGIN { print $by_heat * 1000 }")" "$by_numba"
factor=$(awk "BEGIN { printf \"%.0f\", $by_heat * 1e9 / $by_numba }")
echo "factor: $factor"

for kernel in book registers; do
  rate=$(heat "$kernel" 1024 --frames 3 --no-verify | field gcells_per_s)
  printf 'heat %s, 1024x1024: %s million cells/s\n' "$kernel" "$(awk "BEGIN { print $rate * 1000 }")"
done
TIMEFORMAT='matmul --size 256 --kernel all: %R s'
time "$programs/matmul" --device emulated --size 256 --kernel all --quiet >/dev/null

[[ $factor -ge 500 ]]
