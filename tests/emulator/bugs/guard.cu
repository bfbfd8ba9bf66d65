// The last block has more threads than elements are left.
// Found by: --check
// Says: located 0 bytes (to the right of|after) 4000-byte region
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
    int last;
    if (cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost) == cudaSuccess) puts("right");
    cudaFree(out);
}
