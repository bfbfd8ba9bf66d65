#!/usr/bin/env bash
# Sets up, builds and measures: writes results/DEVICE/PROGRAM.json for the GPU, if there is one, and for the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# != 0 ]; then
  echo "benchmark.sh: $1: it takes no options" >&2
  exit 2
fi

# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh benchmark
build "$preset" heat_notexture heat tex1dfetch_big tex1dfetch_int2float matmul texture_unit access_patterns occupancy ${nvcc:+texture_reference_cost}

measure() { # measure KIND PROGRAM[-SIZE...] [ARGUMENT...]: writes the report into build/benchmark/KIND
  local program=${2%%-*} report=build/benchmark/$1/$2.json
  echo "== $program ${*:3} on $1"
  "build/$preset/bin/$program" --device "$1" --benchmark --json "$report" "${@:3}"
}

rm -rf build/benchmark
mkdir -p build/benchmark/cuda build/benchmark/cpu
if [ -n "$nvcc" ] && has_driver; then
  for program in heat_notexture heat; do
    for side in 256 512 1024 2048 4096 8192; do
      measure cuda $program-$side --width $side --height $side # separately, so that each size has a minute
    done
  done
  for mb in 1 4 16 64 256 1024 2048 4096 8192 16384 32768 65536 131072; do
    measure cuda "tex1dfetch_big-$mb" $mb --memory device || break # too large for this GPU's memory
  done
  measure cuda tex1dfetch_int2float
  for side in 256 512 1024 2048 4096 8192 16384; do
    measure cuda matmul-$side --size $side
  done
  for shape in '65536 256 1024' '256 65536 1024' '4093 4099 4105'; do
    read -r m n k <<<"$shape"
    measure cuda "matmul-$m-$n-$k" --m "$m" --n "$n" --k "$k"
  done
  measure cuda texture_unit
  measure cuda access_patterns --png build/benchmark/cuda/access_patterns.png
  measure cuda occupancy --png build/benchmark/cuda/occupancy.png
  "build/$preset/bin/occupancy" --device cuda --quiet --png build/benchmark/cuda/occupancy-timelines.png
  measure cuda texture_reference_cost
  python3 scripts/results.py build/benchmark/cuda
fi

# The two heat samples share their solvers on the CPU. Their peers are programs that people would write or use without
# the suite.
c++ -std=c++20 -O3 -march=native -fopenmp -ffp-contract=off scripts/peers/heat_plain_loops.cpp -lz -o build/benchmark/plain_loops
peers=()
if (from_pypi numba 'numba>=0.61'); then peers+=(numba:heat_numba_cpu); fi
if (from_pypi devito 'devito==4.8.*' --no-binary cgen,codepy); then peers+=(devito:heat_devito); fi # two without wheels
for side in 1024 4096 8192; do
  for _ in 1 2 3; do # the fastest of three runs counts
    build/benchmark/plain_loops $side
    for peer in "${peers[@]}"; do PYTHONPATH=build/tools/${peer%:*} python3 "scripts/peers/${peer#*:}.py" $side; done
  done
done | tee build/benchmark/cpu/peers.jsonl
measure cpu heat
measure cpu tex1dfetch_big 1280
# Keeps the threads of two libraries from busy-waiting for each other.
OMP_WAIT_POLICY=passive measure cpu matmul
python3 scripts/results.py build/benchmark/cpu
python3 scripts/tables.py
