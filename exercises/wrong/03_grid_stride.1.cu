// Refused as: memory. Each thread has a piece of the array, so neighbouring threads are far apart.

__global__ void twice(float* out, const float* in, int n) {
    const int threads = blockDim.x * gridDim.x;
    const int each = (n + threads - 1) / threads;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < min(first + each, n); ++i) out[i] = 2 * in[i];
}
