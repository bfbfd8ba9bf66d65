// Refused by clang: calling a __host__ function("sort") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
#include <algorithm>

__global__ void sort_rows(int* a) {
    std::sort(a + 4 * threadIdx.x, a + 4 * threadIdx.x + 4);  // here
}

int main() {
    sort_rows<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
