// A thread of each block adds to a __device__ variable (not to an array) without an atomic operation.
// Found by: --check=race
// Says: data race in count
#include <cstdio>

__device__ int total;

__global__ void count(const int* flags) {
    __shared__ int mine[64];
    mine[threadIdx.x] = flags[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += mine[i];
#ifdef REPAIRED
        atomicAdd(&total, sum);
#else
        total += sum;
#endif
    }
}

int main() {
    constexpr int n = 512;
    int host[n], *flags, result = 0;
    for (int& flag : host) flag = 1;
    cudaMalloc(&flags, sizeof host);
    cudaMemcpy(flags, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<n / 64, 64>>>(flags);
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    if (cudaGetLastError() == cudaSuccess && result == n) std::puts("right");
    cudaFree(flags);
}
