// A kernel asks malloc() for more memory than the heap of kernels has, and nobody looks at the result.
// Found by: a run
// Says: cudaErrorIllegalAddress .*at 0x0.*: fill, block \(0, 0, 0\), thread
#include <cstdio>

__global__ void fill(int n, int* sums) {
    int* const numbers = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) numbers[i] = i;
    sums[threadIdx.x] = numbers[n - 1];
    free(numbers);
}

int main() {
    int *sums, last;
    cudaMalloc(&sums, 64 * sizeof(int));
#ifdef REPAIRED
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 256 << 20);
#endif
    fill<<<1, 1>>>(4 << 20, sums);
    cudaMemcpy(&last, sums, sizeof last, cudaMemcpyDeviceToHost);
    if (last == (4 << 20) - 1) puts("right");
    cudaFree(sums);
}
