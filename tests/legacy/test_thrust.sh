#!/usr/bin/env bash
# test_thrust.sh CUDABOOK_NVCC BUILD COMPILER: Thrust on the emulated GPU, by the headers of CCCL; status 77 where there are none.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=$3
programs=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

echo '#include <thrust/version.h>' >version.cu
if ! "$nvcc" --emulate -c version.cu 2>said; then
  cat said
  if grep -qE 'needs (the headers of CCCL|Thrust 2.2 or newer)' said; then exit 77; fi
  exit 1
fi

runs() { # runs SOURCE WORD...: the program is compiled, and ends with status 0
  local status=0
  if ! "$nvcc" --emulate -O0 "$@" -o out >said 2>&1; then
    cat said
    fail "$1 does not compile"
    return
  fi
  ./out >said 2>&1 || status=$?
  [ $status = 0 ] || fail "$1: status $status: $(cat said)"
}

runs "$programs/thrust.cu"
runs "$programs/cub.cu" -include thrust/version.h # cudabook's CUB beside CCCL's Thrust

# A source for a host compiler alone.
cat >host.cpp <<'X'
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
int main() {
  thrust::device_vector<int> values(10, 3);
  return thrust::reduce(values.begin(), values.end()) == 30 ? 0 : 1;
}
X
runs host.cpp

# With a sanitizer: the program, and an access outside a device vector.
cat >outside.cu <<'X'
#include <thrust/device_vector.h>
__global__ void read(const int* values, int* sum) { *sum = values[100]; }
int main() {
  thrust::device_vector<int> values(100), sum(1);
  read<<<1, 1>>>(thrust::raw_pointer_cast(values.data()), thrust::raw_pointer_cast(sum.data()));
  return cudaDeviceSynchronize();
}
X
if [ -e "$CUDABOOK_BUILD/lib/cudabook/nvcc/cudabook_runtime_address.a" ]; then
  "$nvcc" --check "$programs/thrust.cu" >said 2>&1 || fail "--check thrust.cu: status $?: $(cat said)"
  "$nvcc" --check outside.cu >said 2>&1 && fail '--check finds nothing'
  grep -q 'outside.cu:2' said || fail "--check says $(cat said)"
fi

refused() { # refused HEADER MESSAGE: CCCL's header needs a real GPU
  printf '#include <thrust/sort.h>\n#include <%s>\n' "$1" >bad.cu
  "$nvcc" --emulate -c bad.cu 2>said && fail "$1 is not refused"
  grep -q "<$1> needs real CUDA: $2" said || fail "$1: $(cat said)"
  grep -q '^bad.cu:2\|from bad.cu:2' said || fail "$1: $(cat said)"
}
refused cub/block/block_load.cuh 'include <cub/cub.cuh>'
refused cuda/ptx 'take what the C++ standard library has'
refused nv/target 'ask #ifdef __CUDA_ARCH__'

exit $failed
