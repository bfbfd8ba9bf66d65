// Refused as: numbers. The whole last block returns, and with it the threads that have an element.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((blockIdx.x + 1) * blockDim.x > n) return;
    out[i] = 2 * in[i];
}
