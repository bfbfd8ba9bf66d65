// Refused as: memory. Right, but a fifth fetch takes the place of clamping.

__global__ void mean4(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x + 0.5F;
    const float v = y + 0.5F;
    const float cell = tex2D<float>(in, u, v);
    const float left = tex2D<float>(in, u - 1, v);
    const float right = tex2D<float>(in, u + 1, v);
    const float above = tex2D<float>(in, u, v - 1);
    const float below = tex2D<float>(in, u, v + 1);
    const float sum = (x > 0 ? left : cell) + (x + 1 < width ? right : cell) + (y > 0 ? above : cell) +
                      (y + 1 < height ? below : cell);
    out[x + y * width] = sum / 4;
}
