// A host function in a stream calls cudaFree(), although it may not call CUDA.
// Found by: a run
// Says: a host function of a stream calls CUDA, which it may not
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = 1; }

void free_array(void* array) {
#ifndef REPAIRED
    cudaFree(array);
#endif
    static_cast<void>(array);
}

int main() {
    int *numbers, result = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&numbers, 64 * sizeof(int));
    fill<<<1, 64, 0, stream>>>(numbers);
    cudaMemcpyAsync(&result, numbers, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, free_array, numbers);
    cudaStreamSynchronize(stream);
#ifdef REPAIRED
    cudaFree(numbers);
#endif
    cudaStreamDestroy(stream);
    if (result == 1) std::puts("right");
}
