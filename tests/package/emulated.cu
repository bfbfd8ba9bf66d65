// Launches a kernel of kernels/emulated.cu, which has the same file name, on the emulated GPU. Ends with
// status 0 if the kernel has doubled the number.
#include <cstdio>

#include "kernels/emulated.h"

int main() {
    int* number = nullptr;
    cudaMallocManaged(&number, sizeof *number);
    *number = 21;
    double_it<<<1, 1>>>(number);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %d\n", cudaGetErrorString(error), *number);
    return *number == 42 ? 0 : 1;
}
