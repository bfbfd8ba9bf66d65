// A part of the tile is never written.
// Found by: --check=race
// Says: shared memory that no thread of this block has written
#include <cstdio>

__global__ void smooth(const int* in, int* out) {
    __shared__ int tile[66];
    tile[threadIdx.x + 1] = in[threadIdx.x];
#ifdef REPAIRED
    if (threadIdx.x == 0) tile[0] = tile[65] = 0;
#endif
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    smooth<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(in);
    cudaFree(out);
}
