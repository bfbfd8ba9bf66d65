// One thread of a small kernel, which is a part of a loop over the threads, uses a null pointer.
// Found by: an optimized run
// Says: argument 2 is a null pointer\): mark, block \(0, 0, 0\), thread \(5, 2, 0\)
#include <cstdio>

__global__ void mark(int* numbers, int* last, int count) {
    const unsigned i = threadIdx.x + blockDim.x * threadIdx.y;
    if (i == count - 1)
        *last = 1;
    else
        numbers[i] = 1;
}

int main() {
    int* numbers = nullptr;
    int* last = nullptr;
    cudaMalloc(&numbers, 1024 * sizeof(int));
#ifdef REPAIRED
    cudaMalloc(&last, sizeof(int));
#endif
    mark<<<2, dim3(16, 16)>>>(numbers, last, 38);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(numbers);
    cudaFree(last);
}
