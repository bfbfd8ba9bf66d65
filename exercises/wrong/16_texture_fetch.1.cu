// Refused as: memory. Right, but the neighbours are still loaded.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = in[i];
    if (i > 0) sum += in[i - 1];
    if (i + 1 < n) sum += in[i + 1];
    out[i] = sum;
}
