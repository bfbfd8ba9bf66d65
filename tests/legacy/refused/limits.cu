// Refused by clang: calling a __host__ function("max") from a __global__ function is not allowed
// nvcc 13.0: calling a constexpr __host__ function("max") from a __global__ function("fill") is not allowed
#include <limits>

__global__ void fill(float* a) {
    a[threadIdx.x] = std::numeric_limits<float>::max();  // here
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return 0;
}
