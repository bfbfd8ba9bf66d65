// The stream is destroyed before the launch.
// Found by: a run
// Says: work for a stream that has been destroyed \(cudaErrorInvalidResourceHandle
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int *numbers, last = 0;
    cudaStream_t stream;
    cudaMalloc(&numbers, 64 * sizeof(int));
    cudaStreamCreate(&stream);
#ifndef REPAIRED
    cudaStreamDestroy(stream);
#endif
    fill<<<1, 64, 0, stream>>>(numbers);
    cudaDeviceSynchronize();
    cudaMemcpy(&last, numbers + 63, sizeof last, cudaMemcpyDeviceToHost);
    if (last == 63) puts("right");
#ifdef REPAIRED
    cudaStreamDestroy(stream);
#endif
    cudaFree(numbers);
}
