// A block has more threads than its shared array has elements.
// Found by: --check
// Says: index 64 out of bounds for type 'int \[64\]'
#include <cstdio>

#ifdef REPAIRED
constexpr int size = 128;
#else
constexpr int size = 64;
#endif
__global__ void reverse(int* out) {
    __shared__ int tile[size];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
    int *out, first;
    cudaMalloc(&out, 128 * sizeof(int));
    reverse<<<1, 128>>>(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    if (first == 127) puts("right");
    cudaFree(out);
}
