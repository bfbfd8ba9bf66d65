// Two streams copy to one buffer, as if each had its own.
// Found by: --check=race
// Says: a copy at .*again.cu:23: writes 256 bytes: a copy at .*again.cu:23 writes them in another
#include <cstdio>

__global__ void add(const int* numbers, int* sum) { atomicAdd(sum, numbers[threadIdx.x]); }

int main() {
    int *numbers, *sum, *buffers[2], total = 0;
    cudaStream_t streams[2];
    cudaMallocHost(&numbers, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i) numbers[i] = i;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    for (auto& buffer : buffers) cudaMalloc(&buffer, 64 * sizeof(int));
    for (auto& stream : streams) cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; ++i) {
        int* buffer = buffers[0];
#ifdef REPAIRED
        buffer = buffers[i];
#endif
        cudaMemcpyAsync(buffer, numbers + 64 * i, 64 * sizeof(int), cudaMemcpyHostToDevice, streams[i]);
        add<<<1, 64, 0, streams[i]>>>(buffer, sum);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    if (total == 127 * 64) puts("right");
    for (auto& stream : streams) cudaStreamDestroy(stream);
    for (auto& buffer : buffers) cudaFree(buffer);
    cudaFree(sum);
    cudaFreeHost(numbers);
}
