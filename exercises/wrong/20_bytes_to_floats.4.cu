// Refused as: numbers. It fetches from the bytes of floats: an index counts texels, not bytes.

__global__ void negative(float* out, const unsigned char* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 1 - tex1Dfetch<float>(texture, i * sizeof(float));
}
