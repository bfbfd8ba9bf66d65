// A kernel of another file of this name, on the emulated GPU: status 0 if it has doubled the number.
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
