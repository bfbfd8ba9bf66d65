// Refused as: race. Nobody waits until the others have filled the tile.

constexpr int block = 128;

__global__ void sum5(float* out, const float* in, int n) {
    __shared__ float tile[block + 4];
    const int i = blockIdx.x * block + threadIdx.x;
    for (int t = threadIdx.x; t < block + 4; t += block) {
        const int j = blockIdx.x * block + t - 2;
        tile[t] = j >= 0 && j < n ? in[j] : 0;
    }
    if (i >= n) return;
    float sum = 0;
    for (int t = threadIdx.x; t <= threadIdx.x + 4; ++t) sum += tile[t];
    out[i] = sum;
}
