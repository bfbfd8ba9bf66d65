// The loop around atomicCAS in CUDA's guide. Some threads leave the loop before their first atomicCAS.
// Silent: --check, --check=race
#include <cstdio>

__device__ void put_maximum(float* maximum, float number) {
    int* const word = reinterpret_cast<int*>(maximum);
    int old = *word;
    while (__int_as_float(old) < number) {
        const int assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(number));
        if (old == assumed) break;
    }
}
__global__ void find(const float* numbers, float* maximum) {
    put_maximum(maximum, numbers[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    float numbers[256], found = 0;
    for (int i = 0; i < 256; ++i) numbers[i] = i * 97 % 256;
    float *on_gpu, *maximum;
    cudaMalloc(&on_gpu, sizeof numbers);
    cudaMalloc(&maximum, sizeof found);
    cudaMemcpy(on_gpu, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(maximum, &found, sizeof found, cudaMemcpyHostToDevice);
    find<<<4, 64>>>(on_gpu, maximum);
    cudaMemcpy(&found, maximum, sizeof found, cudaMemcpyDeviceToHost);
    if (found == 255) puts("right");
    cudaFree(on_gpu);
    cudaFree(maximum);
}
