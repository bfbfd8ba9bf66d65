// The host sets and reads a __device__ variable as if it were the host's own variable.
// Found by: the compiler
// Says: host.cu:16: warning: a __device__ variable "total" cannot be directly written in a host function
#include <cstdio>

__device__ int total;

__global__ void add(int number) { atomicAdd(&total, number); }

int main() {
    const int zero = 0;
    int result = 0;
#ifdef REPAIRED
    cudaMemcpyToSymbol(total, &zero, sizeof total);
#else
    total = zero;
#endif
    add<<<1, 32>>>(2);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    cudaMemcpyFromSymbol(&result, total, sizeof result);
#else
    result = total;
#endif
    if (result == 64) puts("right");
}
