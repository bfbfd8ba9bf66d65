// The grid does as many elements at once as it has threads, and then moves on by that many. In each round it
// is one piece of the array, so neighbouring threads have neighbouring elements.

__global__ void twice(float* out, const float* in, int n) {
    const int threads = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = 2 * in[i];
}
