// Blocks count together by an operation that is atomic only among the threads of one block.
// Found by: --check=race
// Says: data race in count: .* atomic only in one block; .*atomic_of_the_block.cu:12
#include <cstdio>

__global__ void count(const int* in, int* found) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) {
#ifdef REPAIRED
        atomicAdd(found, 1);
#else
        atomicAdd_block(found, 1);
#endif
    }
}

int main() {
    constexpr int blocks = 4, threads = 64, n = blocks * threads;
    int host[n], result = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    int *in, *found;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&found, sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(found, 0, sizeof(int));
    count<<<blocks, threads>>>(in, found);
    cudaMemcpy(&result, found, sizeof result, cudaMemcpyDeviceToHost);
    if (result == n / 2) puts("right");
    cudaFree(found);
    cudaFree(in);
}
