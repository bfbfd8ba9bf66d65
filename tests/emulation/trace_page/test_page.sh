#!/usr/bin/env bash
# test_page.sh: the pages of scripts/lessons.sh in a headless Chromium, see test_page.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

root=$(realpath "$here/../../..")
"$root/scripts/lessons.sh" "$folder"

# What a kernel may be too: one that asks for nothing; variables without a copy, and of short names.
cat >others.cu <<'X'
__device__ float x[32];
__constant__ float c[4] = {1, 2, 3, 4};
__global__ void nothing() {}
__global__ void f(int half) {
  extern __shared__ float s[];
  __shared__ float other[32];
  const int i = threadIdx.x;
  s[i] = x[i] + c[i % 4];
  other[i] = 1;
  __syncwarp();
  x[i] = (i < half ? s : other)[31 - i] + __shfl_sync(i < 16 ? 0xffffu : 0xffff0000u, s[i], i ^ 1);
}
int main(int count, char**) {
  nothing<<<1, 64>>>();
  if (count > 1) f<<<1, 32, 128>>>(16);
  return cudaDeviceSynchronize();
}
X
"$root/scripts/cudabook-nvcc" --emulate others.cu -o others 2>/dev/null
CUDABOOK_TRACE=nothing.html ./others
CUDABOOK_TRACE=others.html ./others f
for name in x c s other; do grep -q "\"name\":\"$name\"" others.html || { echo "FAILED: no variable $name" && exit 1; }; done

failed=0
for page in *.html; do
  status=0
  "${PYTHON:-python3}" "$here/test_page.py" "$page" || status=$?
  [ $status != 77 ] || exit 77
  [ $status = 0 ] || { echo "FAILED: $page" && failed=1; }
done
exit $failed
