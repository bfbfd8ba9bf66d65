// The last steps of a reduction rely on the lanes of a warp running in step.
// Found by: --check=race
// Says: data race in sum
#include <cstdio>

__global__ void sum(const int* in, int* out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
#ifndef REPAIRED
        if (half > 32)
#endif
            __syncthreads();
    }
    if (threadIdx.x == 0) *out = values[0];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(in);
    cudaFree(out);
}
