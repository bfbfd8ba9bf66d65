// A kernel is launched with a block of 2048 threads, and nobody asks for the error.
// Found by: a run
// Says: 2048 x 1 x 1 threads: .* 1024 in all
#include <cstdio>

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    int* out;
    cudaMalloc(&out, 2048 * sizeof(int));
#ifdef REPAIRED
    fill<<<2, 1024>>>(out);
#else
    fill<<<1, 2048>>>(out);
#endif
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
