// A static __shared__ array has 64 KB.
// Found by: a run
// Says: its __shared__ variables take 65536 bytes, and nvcc allows 49152
#include <cstdio>

#ifdef REPAIRED
constexpr int size = 1024;
#else
constexpr int size = 16384;
#endif
__global__ void reverse(int* out) {
    __shared__ int tile[size];
    for (int i = threadIdx.x; i < size; i += blockDim.x) tile[i] = i;
    __syncthreads();
    out[threadIdx.x] = tile[size - 1 - threadIdx.x];
}

int main() {
    int *out, first;
    cudaMalloc(&out, 64 * sizeof(int));
    reverse<<<1, 64>>>(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    if (first == size - 1) puts("right");
    cudaFree(out);
}
