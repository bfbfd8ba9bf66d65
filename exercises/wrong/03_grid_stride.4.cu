// Refused as: access. The last round has no guard.

__global__ void twice(float* out, const float* in, int n) {
    const int threads = blockDim.x * gridDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round <= n / threads; ++round)
        out[first + round * threads] = 2 * in[first + round * threads];
}
