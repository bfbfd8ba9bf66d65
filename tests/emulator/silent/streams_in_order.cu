// Streams that wait for each other by events, the legacy stream and the host, or use different memory.
// Silent: --check, --check=race
#include <cstdio>

__global__ void add(int* numbers, int number) { numbers[threadIdx.x] += number; }
__global__ void count(int* sum) { atomicAdd(sum, 1); }

int main() {
    int *numbers, *halves, *sum, last = 0, in_all = 0, of_halves[128];
    cudaStream_t streams[2];
    cudaEvent_t event;
    for (auto& stream : streams) cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMalloc(&numbers, 64 * sizeof(int));
    cudaMalloc(&halves, 128 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(numbers, 0, 64 * sizeof(int));  // the legacy stream: both streams wait
    cudaMemset(halves, 0, 128 * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));

    add<<<1, 64, 0, streams[0]>>>(numbers, 1);
    cudaEventRecord(event, streams[0]);
    cudaStreamWaitEvent(streams[1], event);
    add<<<1, 64, 0, streams[1]>>>(numbers, 2);
    add<<<1, 64>>>(numbers, 4);
    add<<<1, 64, 0, streams[0]>>>(numbers, 8);
    cudaStreamSynchronize(streams[0]);
    add<<<1, 64, 0, streams[1]>>>(numbers, 16);
    for (int i = 0; i < 2; ++i) {
        add<<<1, 64, 0, streams[i]>>>(halves + 64 * i, 1);
        count<<<2, 64, 0, streams[i]>>>(sum);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(&last, numbers + 63, sizeof last, cudaMemcpyDeviceToHost);
    cudaMemcpy(&in_all, sum, sizeof in_all, cudaMemcpyDeviceToHost);
    cudaMemcpy(of_halves, halves, sizeof of_halves, cudaMemcpyDeviceToHost);
    if (last == 31 && in_all == 256 && of_halves[127] == 1) puts("right");
    cudaEventDestroy(event);
    for (auto& stream : streams) cudaStreamDestroy(stream);
    cudaFree(numbers), cudaFree(halves), cudaFree(sum);
}
