// Refused by clang: identifier "stderr" is undefined in device code
// nvcc 13.0: the same
#include <cstdio>

__global__ void show(const int* a) {
    fprintf(stderr, "%d\n", a[threadIdx.x]);  // here
}

int main() {
    show<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
