// Refused by clang: a __global__ function call must be configured
// nvcc 13.0: the same
#include <algorithm>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    int* a = nullptr;
    cudaMalloc(&a, 32 * sizeof *a);
    fill(a);  // here
    return cudaFree(a);
}
