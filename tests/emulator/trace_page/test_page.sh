#!/usr/bin/env bash
# test_page.sh [PAGE...]: the pages of scripts/lessons.sh, and three more, in a headless Chromium, see test_page.py. Without a
# PAGE, all.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

root=$(realpath "$here/../../..")
"$root/scripts/lessons.sh" "$folder"

# Two special kernels: one without any request, and one with variables that have short names or are never copied.
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
"$root/scripts/cudabook-nvcc" --count others.cu -o others 2>/dev/null
CUDABOOK_TRACE=nothing.html ./others

# The page of a block of 1024 threads in 90 launches is smaller than 5 MB.
cat >large.cu <<'X'
#include <cstdlib>
__global__ void blend(float* out, const float* in, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = x + y * n;
  const float left = in[x ? i - 1 : i], right = in[x < n - 1 ? i + 1 : i];
  const float top = in[y ? i - n : i], bottom = in[y < n - 1 ? i + n : i];
  out[i] = in[i] + 0.25f * (left + right + top + bottom - 4 * in[i]);
}
int main(int count, char** words) {
  float *a, *b;
  const int n = count > 1 ? atoi(words[1]) : 64;
  cudaMalloc((void**)&a, n * n * 4);
  cudaMalloc((void**)&b, n * n * 4);
  cudaMemset(a, 0, n * n * 4);
  for (int step = 0; step < 90; ++step) blend<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(step % 2 ? a : b, step % 2 ? b : a, n);
  return cudaDeviceSynchronize();
}
X
"$root/scripts/cudabook-nvcc" --count large.cu -o large 2>/dev/null
CUDABOOK_TRACE=large.html ./large
[ "$(stat -c %s large.html)" -lt 5000000 ] || { echo "FAILED: large.html has $(stat -c %s large.html) bytes" && exit 1; }
CUDABOOK_TRACE=others.html ./others f
for name in x c s other; do grep -q "\"name\":\"$name\"" others.html || { echo "FAILED: no variable $name" && exit 1; }; done

[ $# -gt 0 ] || set -- *.html
failed=0
for page; do
  status=0
  "${PYTHON:-python3}" "$here/test_page.py" "$page" || status=$?
  [ $status != 77 ] || exit 77
  [ $status = 0 ] || { echo "FAILED: $page" && failed=1; }
done
exit $failed
