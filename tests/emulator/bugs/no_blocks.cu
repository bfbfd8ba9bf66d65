// The number of blocks, n / 256, is 0 if there are fewer than 256 elements.
// Found by: a run
// Says: a size is 0
#include <cstdio>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1;
}

int main() {
    const int n = 100;
    int* out;
    cudaMalloc(&out, n * sizeof(int));
#ifdef REPAIRED
    fill<<<(n + 255) / 256, 256>>>(out, n);
#else
    fill<<<n / 256, 256>>>(out, n);
#endif
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
