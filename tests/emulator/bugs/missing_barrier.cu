// There is no barrier between writing and reading a tile.
// Found by: --check=race
// Says: data race in reverse
#include <cstdio>

__global__ void reverse(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
#ifdef REPAIRED
    __syncthreads();
#endif
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    reverse<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
