// The time between two events is asked for before the second event is complete.
// Found by: a run
// Says: cudaEventElapsedTime\(\) before cudaEventSynchronize\(\) or another wait \(cudaErrorNotReady
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int* numbers;
    float milliseconds = -1;
    cudaEvent_t begin, end;
    cudaMalloc(&numbers, 64 * sizeof(int));
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin);
    fill<<<1, 64>>>(numbers);
    cudaEventRecord(end);
#ifdef REPAIRED
    cudaEventSynchronize(end);
#endif
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaDeviceSynchronize();
    if (milliseconds >= 0) puts("right");
    cudaEventDestroy(begin), cudaEventDestroy(end);
    cudaFree(numbers);
}
