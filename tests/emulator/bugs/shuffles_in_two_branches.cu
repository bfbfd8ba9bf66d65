// The two halves of a warp shuffle in two branches, each with all lanes in the mask.
// Found by: --check
// Says: __shfl_down_sync at .*:15, and another lane of the mask at .*:13: all lanes of a mask must come to the same call
#include <cstdio>

__global__ void add_neighbours(int* numbers) {
    int number = numbers[threadIdx.x];
#ifdef REPAIRED
    const int neighbour = __shfl_down_sync(0xffffffff, number, 1);
    number = threadIdx.x < 16 ? number + neighbour : number - neighbour;
#else
    if (threadIdx.x < 16)
        number += __shfl_down_sync(0xffffffff, number, 1);
    else
        number -= __shfl_down_sync(0xffffffff, number, 1);
#endif
    numbers[threadIdx.x] = number;
}

int main() {
    constexpr int n = 32;
    int host[n] = {};
    int* numbers;
    cudaMalloc(&numbers, sizeof host);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    add_neighbours<<<1, n>>>(numbers);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 0) std::puts("right");
    cudaFree(numbers);
}
