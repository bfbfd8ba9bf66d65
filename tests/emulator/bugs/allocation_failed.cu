// The size for cudaMalloc() has the factor n twice; cudaMalloc() fails, and nobody looks at its result.
// Found by: a run
// Says: at 0x0; argument 1 is a null pointer: cudaMalloc\(\) of 4194304000000 bytes has failed\): fill
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    const size_t n = 1024000;
    size_t bytes = n * sizeof(int);
#ifndef REPAIRED
    bytes *= n;
#endif
    int *numbers = nullptr, last = 0;
    cudaMalloc(&numbers, bytes);
    fill<<<1, 64>>>(numbers);
    cudaMemcpy(&last, numbers + 63, sizeof last, cudaMemcpyDeviceToHost);
    if (last == 63) puts("right");
    cudaFree(numbers);
}
