// Refused as: numbers. The elements at the ends count twice.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = tex1Dfetch<float>(texture, max(i - 1, 0)) + tex1Dfetch<float>(texture, i) +
             tex1Dfetch<float>(texture, min(i + 1, n - 1));
}
