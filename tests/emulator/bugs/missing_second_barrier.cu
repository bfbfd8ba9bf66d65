// A thread writes the tile again while other threads still read it.
// Found by: --check=race
// Says: data race in shift
#include <cstdio>

__global__ void shift(const int* in, int* out) {
    __shared__ int tile[64];
    for (int step = 0; step < 2; ++step) {
        tile[threadIdx.x] = in[step * 64 + threadIdx.x];
        __syncthreads();
        out[step * 64 + threadIdx.x] = tile[(threadIdx.x + 1) % 64];
#ifdef REPAIRED
        __syncthreads();
#endif
    }
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 128 * sizeof(int));
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMemset(in, 0, 128 * sizeof(int));
    shift<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(in);
    cudaFree(out);
}
