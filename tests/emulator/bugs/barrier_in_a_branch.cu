// Half of a block's threads wait at one barrier, and the other half at another.
// Found by: --check
// Says: waits at the barrier of .*:17, and other threads of its block wait at the barrier of .*:14: all
#include <cstdio>

__global__ void both(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
#ifdef REPAIRED
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < 32 ? tile[63 - threadIdx.x] : tile[threadIdx.x];
#else
    if (threadIdx.x < 32) {
        __syncthreads();
        out[threadIdx.x] = tile[63 - threadIdx.x];
    } else {
        __syncthreads();
        out[threadIdx.x] = tile[threadIdx.x];
    }
#endif
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    both<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
