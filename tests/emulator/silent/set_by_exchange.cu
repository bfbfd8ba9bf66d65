// atomicExch() overwrites memory that nobody has written; a copy within the GPU takes unwritten memory too.
// Silent: --check, --check=race
#include <cstdio>

__global__ void set(int* numbers) { atomicExch(&numbers[threadIdx.x], 7); }

int main() {
    int *numbers, *copy, last = 0;
    cudaMalloc(&numbers, 128 * sizeof(int));
    cudaMalloc(&copy, 128 * sizeof(int));
    set<<<1, 64>>>(numbers);
    cudaMemcpy(copy, numbers, 128 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpy(&last, copy + 63, sizeof last, cudaMemcpyDeviceToHost);
    if (last == 7) puts("right");
    cudaFree(numbers);
    cudaFree(copy);
}
