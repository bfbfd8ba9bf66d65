#!/usr/bin/env bash
# test_refused.sh CUDABOOK_NVCC BUILD COMPILER: what nvcc refuses, cudabook-nvcc --emulate refuses too, by one line for the line with
# "// here": programs in refused/, with nvcc's words in their first lines. Those of accepted/ compile without a word.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=$3
programs=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$programs"
failed=0

compile() { # compile SOURCE READER: sets `status`, and `said` without the line that says that it emulates
  status=0
  said=$(CUDABOOK_SECOND_READER=$2 "$nvcc" --emulate -O0 -c "$1" -o "$folder/object.o" 2>&1) || status=$?
  said=${said#'cudabook-nvcc: for the emulated GPU'}
  said=${said#$'\n'}
}

fail() {
  echo "FAILED: $1: $2"
  failed=1
}

readers=(none)
if command -v clang++ >/dev/null; then readers+=(clang++); else echo "SKIPPED: what clang++ reads: there is no clang++"; fi
for reader in "${readers[@]}"; do
  for source in refused/*.cu; do
    read -r first <"$source"
    case $reader:$first in
      none:*' by clang: '*) continue ;;                # nobody sees it
      clang++:*' by clang: '*) ;; # the others have been compiled without clang++
      clang++:*) continue ;;
    esac
    compile "$source" "$reader"
    [ $status = 1 ] || fail "$source" "status $status"
    line=$(grep -n '// here' "$source")
    case $said in
      *$'\n'*) fail "$source" "more than one line: $said" ;;
      "$source:${line%%:*}:"*": ${first#*: }:"* | "$source:${line%%:*}: ${first#*: }:"*) ;;
      *) fail "$source" "it says: $said" ;;
    esac
  done
  for source in accepted/*.cu; do
    compile "$source" "$reader"
    [ "$status$said" = 0 ] || fail "$source" "status $status: $said"
  done
done

# A mistake for the translator and one for clang++: both are told, each once.
if [ ${#readers[@]} = 2 ]; then
  printf '%s\n' 'int one() { return 1; }' '__global__ void k(int* a) { *a = one(); }' 'int main() { k(nullptr); }' >"$folder/two.cu"
  compile "$folder/two.cu" clang++
  if [ $status != 1 ] || [ "$(wc -l <<<"$said")" != 2 ]; then fail two.cu "it says: $said"; fi
fi
# nvcc compiles this; it fails on the GPU.
cat >"$folder/symbol.cu" <<'X'
#include <cstdio>
__device__ int one() { return 1; }
float factors[2];
__constant__ float constants[2];
int main() {
  const float values[2] = {1, 2};
  if (cudaMemcpyToSymbol(constants, values, sizeof values) != cudaSuccess) return 1;
  if (cudaMemcpyToSymbol(factors, values, sizeof values) != cudaErrorInvalidSymbol) return 2;
  puts(cudaGetErrorString(cudaGetLastError()));
}
X
said=$("$nvcc" --emulate -O0 "$folder/symbol.cu" -o "$folder/symbol" 2>&1 && "$folder/symbol") || fail symbol.cu "status $?"
[ "${said#*$'\n'}" = 'invalid device symbol: factors is no __constant__ or __device__ variable' ] || fail symbol.cu "it says: $said"
exit $failed
