// Refused as: numbers. It moves on by the threads of one grid, and other grids have more or fewer.
// Says: n = 256, 2 blocks of 32 threads: out[64] is what was there before

__global__ void twice(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 256) out[i] = 2 * in[i];
}
