// The host fills an array of cudaMalloc(), before any kernel runs.
// Found by: --check, a run with protection keys
// Says: the host uses memory of a GPU, 0 bytes into an array of 256 bytes
#include <cstdio>

#ifdef REPAIRED
constexpr auto allocate = [](int** memory, size_t bytes) { return cudaMallocManaged(memory, bytes); };
#else
constexpr auto allocate = [](int** memory, size_t bytes) { return cudaMalloc(memory, bytes); };
#endif
__global__ void add_one(int* numbers) { ++numbers[threadIdx.x]; }

int main() {
    int* numbers;
    allocate(&numbers, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) numbers[i] = i;
    add_one<<<1, 64>>>(numbers);
    cudaDeviceSynchronize();
    if (numbers[5] == 6) puts("right");
    cudaFree(numbers);
}
