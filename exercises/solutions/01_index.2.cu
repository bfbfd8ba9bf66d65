// The same as a program that can also be compiled alone, with a check() and a main() of its own.

#include <cstdio>

void check(cudaError_t error) {
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
}

__global__ void twice(float* out, const float* in) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    out[i] = 2 * in[i];
}

int main() {
    float* numbers = nullptr;
    check(cudaMallocManaged(&numbers, 256 * sizeof(float)));
    for (int i = 0; i < 256; ++i) numbers[i] = i;
    twice<<<2, 128>>>(numbers, numbers);
    check(cudaDeviceSynchronize());
    std::printf("%g\n", numbers[255]);
    check(cudaFree(numbers));
}
