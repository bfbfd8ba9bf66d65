// Refused by clang: identifier "cout" is undefined in device code
// nvcc 13.0: calling a __host__ function("std::basic_ostream...::operator <<(int)") from a __global__
// function(...) is not allowed
#include <iostream>

__global__ void show(const int* a) {
    std::cout << a[threadIdx.x];  // here
}

int main() {
    show<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
