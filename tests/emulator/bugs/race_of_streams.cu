// Two streams use one array, and nothing makes the second wait for the first.
// Found by: --check=race
// Says: reads 4 bytes, at .*streams.cu:7: the launch of fill at .*streams.cu:17 writes them
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }
__global__ void read(const int* numbers, int* out) { out[threadIdx.x] = 2 * numbers[threadIdx.x]; }

int main() {
    int *numbers, *out, twice[64];
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaMalloc(&numbers, sizeof twice), cudaMalloc(&out, sizeof twice);
    cudaStreamCreate(&first), cudaStreamCreate(&second);
    cudaEventCreate(&filled);

    fill<<<1, 64, 0, first>>>(numbers);
    cudaEventRecord(filled, first);
#ifdef REPAIRED
    cudaStreamWaitEvent(second, filled);
#endif
    read<<<1, 64, 0, second>>>(numbers, out);
    cudaDeviceSynchronize();
    cudaMemcpy(twice, out, sizeof twice, cudaMemcpyDeviceToHost);
    if (twice[63] == 126) puts("right");

    cudaEventDestroy(filled);
    cudaStreamDestroy(first), cudaStreamDestroy(second);
    cudaFree(numbers), cudaFree(out);
}
