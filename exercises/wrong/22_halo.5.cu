// Refused as: memory. Right, but the halo is loaded by every thread that needs it.

constexpr int block = 128;

__global__ void sum5(float* out, const float* in, int n) {
    __shared__ float tile[block + 4];
    const int i = blockIdx.x * block + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int j = i - 2; j <= i + 2; ++j) {
        const int t = j - static_cast<int>(blockIdx.x) * block;
        if (j >= 0 && j < n) sum += t >= 0 && t < block ? tile[t] : in[j];
    }
    out[i] = sum;
}
