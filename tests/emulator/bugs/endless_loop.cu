// A thread waits for a flag that nobody sets.
// Found by: a run
// Says: for 1 s no thread of this launch has started, ended or waited
#include <cstdio>

__global__ void wait(volatile int* flag) {
#ifdef REPAIRED
    if (threadIdx.x == 0) *flag = 1;
#endif
    while (*flag == 0) {
    }
}

int main() {
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    wait<<<1, 32>>>(flag);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "right" : cudaGetErrorString(cudaGetLastError()));
    cudaFree(flag);
}
