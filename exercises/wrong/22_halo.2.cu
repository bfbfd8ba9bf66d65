// Refused as: access. The halo of the first and of the last block is not in the array.

constexpr int block = 128;

__global__ void sum5(float* out, const float* in, int n) {
    __shared__ float tile[block + 4];
    const int i = blockIdx.x * block + threadIdx.x;
    for (int t = threadIdx.x; t < block + 4; t += block) tile[t] = in[blockIdx.x * block + t - 2];
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int t = threadIdx.x; t <= threadIdx.x + 4; ++t) sum += tile[t];
    out[i] = sum;
}
