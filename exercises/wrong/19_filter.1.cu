// Refused as: numbers. The middle of a texel is that texel alone.

__global__ void halve(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[x + y * width] = tex2D<float>(in, 2 * x + 0.5F, 2 * y + 0.5F);
}
