// The recursion is deeper than a thread's stack.
// Found by: a run
// Says: because the thread's stack is used up: is the recursion too deep
#include <cstdio>

__device__ int sum_to(int n) {
    volatile int here[64] = {n};
    return n == 0 ? 0 : here[0] + sum_to(n - 1);
}

__global__ void sum(int n, int* result) { *result = sum_to(n); }

int main() {
    int* result;
    cudaMallocManaged(&result, sizeof *result);
#ifdef REPAIRED
    cudaDeviceSetLimit(cudaLimitStackSize, 400 << 10);
#endif
    sum<<<1, 1>>>(1000, result);
    cudaDeviceSynchronize();
    if (*result == 500500) puts("right");
    cudaFree(result);
}
