// Refused as: race. Nobody has filled the halo.

constexpr int block = 128;

__global__ void sum5(float* out, const float* in, int n) {
    __shared__ float tile[block + 4];
    const int i = blockIdx.x * block + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0;
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int t = threadIdx.x; t <= threadIdx.x + 4; ++t) sum += tile[t];
    out[i] = sum;
}
