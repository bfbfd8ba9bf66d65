// The same as guard.cu, without --check: the kernel writes behind its array.
// Found by: a run
// Says: has overwritten memory 0 bytes behind the end of an array of 4000 bytes
#include <cstdio>

__global__ void square(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i < n)
#endif
        out[i] = i * i;
}

int main() {
    const int n = 1000;
    int* out;
    cudaMalloc(&out, n * sizeof(int));
    square<<<(n + 255) / 256, 256>>>(out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
    puts("right");
}
