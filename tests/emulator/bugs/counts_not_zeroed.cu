// Nobody sets the counts to zero.
// Found by: --check
// Says: reads 4 bytes that nobody has written, 0 bytes into an array of 40 bytes .*, at .*zeroed.cu:6
#include <cstdio>

__global__ void count(const int* numbers, int* counts) { atomicAdd(&counts[numbers[threadIdx.x]], 1); }

int main() {
    int numbers[100], counts[10];
    for (int i = 0; i < 100; ++i) numbers[i] = i / 10;
    int *on_gpu, *counts_on_gpu;
    cudaMalloc(&on_gpu, sizeof numbers);
    cudaMalloc(&counts_on_gpu, sizeof counts);
    cudaMemcpy(on_gpu, numbers, sizeof numbers, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    cudaMemset(counts_on_gpu, 0, sizeof counts);
#endif
    count<<<1, 100>>>(on_gpu, counts_on_gpu);
    cudaMemcpy(counts, counts_on_gpu, sizeof counts, cudaMemcpyDeviceToHost);
    if (counts[9] == 10) puts("right");
    cudaFree(on_gpu);
    cudaFree(counts_on_gpu);
}
