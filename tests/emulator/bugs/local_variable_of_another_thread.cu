// A thread gives the others a pointer to its local variable.
// Found by: --check
// Says: reads 4 bytes of a local variable of thread \(0, 0, 0\), at .*:15: on a GPU, local
#include <cstdio>

__global__ void share(int* out) {
    __shared__ const int* first;
    __shared__ int value;
    int mine = 7 * threadIdx.x;
    if (threadIdx.x == 0) first = &mine, value = mine;
    __syncthreads();
#ifdef REPAIRED
    out[threadIdx.x] = value;
#else
    out[threadIdx.x] = *first;
#endif
}

int main() {
    constexpr int n = 64;
    int host[n] = {};
    int* out;
    cudaMalloc(&out, sizeof host);
    share<<<1, n>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[n - 1] == 0) std::puts("right");
    cudaFree(out);
}
