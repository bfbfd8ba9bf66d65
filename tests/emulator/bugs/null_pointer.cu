// cudaMalloc() is forgotten.
// Found by: a run
// Says: an illegal memory access was encountered, at 0x0; argument 1 is a null pointer\): fill, block
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* out = nullptr;
#ifdef REPAIRED
    cudaMalloc(&out, 64 * sizeof(int));
#endif
    fill<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
