// The example of CUDA's guide: the last block adds what the others have written, and sets the counter to 0.
// Silent: --check, --check=race
#include <cstdio>

__device__ unsigned int count = 0;

__global__ void sum(const float* numbers, int n, volatile float* result) {
    __shared__ float of_block[64];
    __shared__ bool is_last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    of_block[threadIdx.x] = i < n ? numbers[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        float partial = 0;
        for (unsigned int t = 0; t < blockDim.x; ++t) partial += of_block[t];
        result[blockIdx.x] = partial;
        __threadfence();
        is_last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned int b = 0; b < gridDim.x; ++b) total += result[b];
        result[0] = total;
        count = 0;
    }
}

int main() {
    constexpr int n = 500, blocks = 8;
    float host[n], *numbers, *result, total = 0;
    for (float& number : host) number = 1;
    cudaMalloc(&numbers, sizeof host);
    cudaMalloc(&result, blocks * sizeof(float));
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<blocks, 64>>>(numbers, n, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() == cudaSuccess && total == n) std::puts("right");
    cudaFree(numbers);
    cudaFree(result);
}
