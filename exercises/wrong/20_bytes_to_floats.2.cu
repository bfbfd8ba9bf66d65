// Refused as: numbers. It rounds once, where 1 minus a fraction rounds twice, and so has other bits.

__global__ void negative(float* out, const unsigned char* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = (255 - in[i]) / 255.0F;
}
