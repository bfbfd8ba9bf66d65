// cudaMemcpy() gets the name of a __device__ variable as if it were the variable's address on the GPU.
// Found by: a run, --check
// Says: for a __device__ or __constant__ variable there are cudaMemcpyToSymbol\(\)
#include <cstdio>

__device__ int factors[64];
__global__ void scale(int* out) { out[threadIdx.x] = 2 * factors[threadIdx.x]; }

int main() {
    int numbers[64], *out;
    for (int i = 0; i < 64; ++i) numbers[i] = i;
    cudaMalloc(&out, sizeof numbers);
#ifdef REPAIRED
    cudaMemcpyToSymbol(factors, numbers, sizeof numbers);
#else
    cudaMemcpy(factors, numbers, sizeof numbers, cudaMemcpyHostToDevice);
#endif
    scale<<<1, 64>>>(out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    if (numbers[63] == 126) puts("right");
    cudaFree(out);
}
