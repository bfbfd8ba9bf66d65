// Threads beyond the end of the data write nothing to the tile, and the sum takes the whole tile.
// Found by: --check, --check=race
// Says: of shared memory that no thread of this block has written, at .*shared.cu:17
#include <cstdio>

__global__ void sum(const int* in, int* out, int n) {
    extern __shared__ int tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) tile[threadIdx.x] = in[i];
#ifdef REPAIRED
    else
        tile[threadIdx.x] = 0;
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        for (int j = 0; j < blockDim.x; ++j) all += tile[j];
        out[blockIdx.x] = all;
    }
}

int main() {
    int numbers[100], sums[2];
    for (int i = 0; i < 100; ++i) numbers[i] = 1;
    int *in, *out;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<2, 64, 64 * sizeof(int)>>>(in, out, 100);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    if (sums[0] == 64 && sums[1] == 36) puts("right");
    cudaFree(in);
    cudaFree(out);
}
