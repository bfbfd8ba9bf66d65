// Managed memory is freed by free().
// Found by: a run, --check, --check=race
// Says: free\(\) of memory of cudaMallocManaged\(\): cudaFree\(\) frees it
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int* numbers;
    cudaMallocManaged(&numbers, 64 * sizeof(int));
    fill<<<1, 64>>>(numbers);
    cudaDeviceSynchronize();
    if (numbers[63] == 63) puts("right");
#ifdef REPAIRED
    cudaFree(numbers);
#else
    free(numbers);
#endif
}
