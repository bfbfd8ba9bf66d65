// The host and a running kernel signal to each other by flags and atomics in pinned memory.
// Silent: --check=race
#include <cstdio>

__global__ void answer(volatile int* asked, volatile int* answered, int* count) {
    while (*asked == 0) {
    }
    *answered = *asked + 1;
    __threadfence_system();
    atomicAdd_system(count, 1);
}

int main() {
    int *asked, *answered, *count;
    cudaMallocHost(&asked, sizeof *asked);
    cudaMallocHost(&answered, sizeof *answered);
    cudaMallocHost(&count, sizeof *count);
    *asked = *answered = *count = 0;
    answer<<<1, 1>>>(asked, answered, count);
    *(volatile int*)asked = 41;
    __sync_fetch_and_add(count, 1);
    cudaDeviceSynchronize();
    if (*answered == 42 && *count == 2) puts("right");
    cudaFreeHost(count);
    cudaFreeHost(answered);
    cudaFreeHost(asked);
}
