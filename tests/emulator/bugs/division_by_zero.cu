// A thread divides by its index.
// Found by: --check
// Says: division by zero
#include <cstdio>

__global__ void divide(int* out) {
#ifdef REPAIRED
    const int by = threadIdx.x + 1;
#else
    const int by = threadIdx.x;
#endif
    out[threadIdx.x] = 100 / by;
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    divide<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
