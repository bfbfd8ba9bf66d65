// Memory is freed in one stream while a kernel of another stream may still use it.
// Found by: --check=race
// Says: in cudaFreeAsync\(\) at .*:19: writes 256 bytes: the launch of fill at .*:15 writes them
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = 1; }

int main() {
    constexpr int n = 64;
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    int* numbers;
    cudaMallocAsync(&numbers, n * sizeof(int), first);
    fill<<<1, n, 0, first>>>(numbers);
#ifdef REPAIRED
    cudaFreeAsync(numbers, first);
#else
    cudaFreeAsync(numbers, second);
#endif
    if (cudaDeviceSynchronize() == cudaSuccess) std::puts("right");
    cudaStreamDestroy(second);
    cudaStreamDestroy(first);
}
