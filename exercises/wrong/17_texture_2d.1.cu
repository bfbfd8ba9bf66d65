// Refused as: numbers. A whole number is a corner between four texels, and the texture blends them.

__global__ void mean4(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float sum = tex2D<float>(in, x - 1, y) + tex2D<float>(in, x + 1, y) + tex2D<float>(in, x, y - 1) +
                      tex2D<float>(in, x, y + 1);
    out[x + y * width] = sum / 4;
}
