// A kernel allocates memory for each thread and does not free it.
// Found by: --check
// Says: kernels_memory_lost.cu:7
#include <cstdio>

__global__ void sum(int* out) {
    int* const numbers = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) numbers[i] = i;
    out[threadIdx.x] = numbers[0] + numbers[1] + numbers[2] + numbers[3];
#ifdef REPAIRED
    free(numbers);
#endif
}

int main() {
    constexpr int n = 64;
    int host[n] = {};
    int* out;
    cudaMalloc(&out, sizeof host);
    sum<<<1, n>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[n - 1] == 6) std::puts("right");
    cudaFree(out);
}
