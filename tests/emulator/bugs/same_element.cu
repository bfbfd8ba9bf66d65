// Two threads write the same element.
// Found by: --check=race
// Says: data race in scatter
#include <cstdio>

__global__ void scatter(int* out) {
#ifdef REPAIRED
    out[threadIdx.x] = threadIdx.x;
#else
    out[threadIdx.x / 2] = threadIdx.x;
#endif
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    scatter<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
