// The kernel has two names for its dynamic shared memory, as if they were two arrays.
// Found by: the compiler
// Says: arrays.cu:12: warning: more begins at the same byte as numbers
#include <cstdio>

__global__ void use(int* out) {
#ifdef REPAIRED
    extern __shared__ int numbers[];
    int* const more = numbers + blockDim.x;
#else
    extern __shared__ int numbers[];
    extern __shared__ int more[];
#endif
    numbers[threadIdx.x] = threadIdx.x;
    more[threadIdx.x] = 100;
    __syncthreads();
    out[threadIdx.x] = numbers[blockDim.x - 1 - threadIdx.x] + more[threadIdx.x];
}

int main() {
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    use<<<1, 32, 64 * sizeof(int)>>>(out);
    cudaDeviceSynchronize();
    if (out[0] == 131) puts("right");
    cudaFree(out);
}
