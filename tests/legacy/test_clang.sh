#!/usr/bin/env bash
# test_clang.sh CUDABOOK_NVCC BUILD: a build by g++ compiles old programs for the emulated GPU by clang++ as well, and these find what
# they check. A build by clang++ (--release) has all of them.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=clang++ CUDABOOK_FRAMES=1
programs=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0
fused=() # launches.cu: a product and a sum are one operation where the processor has it
if grep -qsw fma /proc/cpuinfo; then fused=(-DFUSED); fi

runs() { # runs FILE...: the program of these files ends with status 0
  local said status=0
  if ! "$nvcc" --emulate "${fused[@]}" "${@/#/$programs/}" -o program 2>compiled; then
    cat compiled
    failed=1
    return
  fi
  said=$(./program 2>&1) || status=$?
  if [ $status != 0 ]; then
    echo "FAILED: $1: status $status: $said"
    failed=1
  fi
}

runs launches.cu
runs templates.cu
runs units.cu units_2.cu
runs tex1dfetch_int2float.cu
runs book_julia.cu
exit $failed
