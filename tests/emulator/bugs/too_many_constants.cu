// A table in constant memory has 80 KB.
// Found by: the compiler
// Says: the __constant__ variables need 80000 bytes, and a GPU has 65536
#include <cstdio>

#ifdef REPAIRED
constexpr int elements = 10000;
#else
constexpr int elements = 20000;
#endif
__constant__ float table[elements];

__global__ void take(float* out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
    float* out;
    cudaMalloc(&out, 64 * sizeof(float));
    take<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
