// Refused as: memory. Two fetches: each blends two texels of a row.

__global__ void halve(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float above = tex2D<float>(in, 2 * x + 1, 2 * y + 0.5F);
    const float below = tex2D<float>(in, 2 * x + 1, 2 * y + 1.5F);
    out[x + y * width] = (above + below) / 2;
}
