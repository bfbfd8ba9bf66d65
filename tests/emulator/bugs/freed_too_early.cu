// The array is freed before the kernel that uses it.
// Found by: a run
// Says: 0 bytes into an array of 256 bytes that has been freed
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
#ifdef REPAIRED
    fill<<<1, 64>>>(out);
    cudaFree(out);
#else
    cudaFree(out);
    fill<<<1, 64>>>(out);
#endif
    cudaDeviceSynchronize();
    puts("right");
}
