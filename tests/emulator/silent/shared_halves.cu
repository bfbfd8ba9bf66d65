// Shared memory of a class with constructors, for which the compiler keeps a variable of its own.
// Silent: --check, --check=race
#include <cstdio>

#include <cuda_fp16.h>

__global__ void sum(float* out) {
    __shared__ half2 numbers[32];
    numbers[threadIdx.x] = half2(0.5f, 0.25f);
    __syncthreads();
    for (unsigned step = 16; step > 0; step /= 2) {
        if (threadIdx.x < step) numbers[threadIdx.x] = numbers[threadIdx.x] + numbers[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = __low2float(numbers[0]) + __high2float(numbers[0]);
}

int main() {
    float host[4];
    float* out;
    cudaMalloc(&out, sizeof host);
    sum<<<4, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[3] == 24) std::puts("right");
    cudaFree(out);
}
