// Refused by clang: dynamic initialization is not supported for a __device__ variable
// nvcc 13.0: dynamic initialization is not supported for a __device__ variable
#include <cmath>

float root(float x) { return std::sqrt(x); }
__device__ float factor = root(2);  // here

__global__ void fill(float* a) { a[threadIdx.x] = factor; }

int main() {
    fill<<<1, 32>>>(nullptr);
    return 0;
}
