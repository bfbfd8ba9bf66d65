// A launch asks for 64 KB of dynamic shared memory without cudaFuncSetAttribute().
// Found by: a run
// Says: 65536 bytes of dynamic shared memory exceed the limit of 49152
#include <cstdio>

__global__ void fill(int* out) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
#ifdef REPAIRED
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
#endif
    fill<<<1, 32, 65536>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
