// Refused by clang: calling a __host__ function("size") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
#include <string>

__global__ void sizes(const std::string* s, int* a) {
    a[threadIdx.x] = s->size();  // here
}

int main() {
    sizes<<<1, 32>>>(nullptr, nullptr);
    return cudaDeviceSynchronize();
}
