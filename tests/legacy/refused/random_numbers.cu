// Refused by clang: calling a __host__ function("rand") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
#include <cstdlib>

__global__ void fill(int* a) {
    a[threadIdx.x] = rand();  // here
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
