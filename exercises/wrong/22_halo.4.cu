// Refused as: numbers. Beyond the ends the tile has the last element again, not 0.

constexpr int block = 128;

__global__ void sum5(float* out, const float* in, int n) {
    __shared__ float tile[block + 4];
    const int i = blockIdx.x * block + threadIdx.x;
    for (int t = threadIdx.x; t < block + 4; t += block) {
        const int j = blockIdx.x * block + t - 2;
        tile[t] = in[min(max(j, 0), n - 1)];
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int t = threadIdx.x; t <= threadIdx.x + 4; ++t) sum += tile[t];
    out[i] = sum;
}
