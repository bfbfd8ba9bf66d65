// A kernel of another file, on the emulated GPU: ends with status 0 if it has doubled the number.
#include <cstdio>

#include "emulated_kernel.h"

int main() {
    int* number = nullptr;
    cudaMallocManaged(&number, sizeof *number);
    *number = 21;
    double_it<<<1, 1>>>(number);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %d\n", cudaGetErrorString(error), *number);
    return *number == 42 ? 0 : 1;
}
