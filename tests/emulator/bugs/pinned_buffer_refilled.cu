// The host fills a pinned buffer again while the copy of its first numbers may still be on its way.
// Found by: --check=race
// Says: host in a copy at .*refilled.cu:19: reads 256 bytes: the host writes them at .*refilled.cu:18 before
#include <cstdio>

__global__ void add(const int* numbers, int* sum) { atomicAdd(sum, numbers[threadIdx.x]); }

int main() {
    int *buffer, *numbers, *sum, total = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&buffer, 64 * sizeof(int));
    cudaMalloc(&numbers, 64 * sizeof(int));
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    cudaDeviceSynchronize();
    for (int part = 0; part < 2; ++part) {
        for (int i = 0; i < 64; ++i) buffer[i] = 64 * part + i;
        cudaMemcpyAsync(numbers, buffer, 64 * sizeof(int), cudaMemcpyHostToDevice, stream);
        add<<<1, 64, 0, stream>>>(numbers, sum);
#ifdef REPAIRED
        cudaStreamSynchronize(stream);
#endif
    }
    cudaStreamSynchronize(stream);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    if (total == 127 * 64) puts("right");
    cudaStreamDestroy(stream);
    cudaFree(sum);
    cudaFree(numbers);
    cudaFreeHost(buffer);
}
