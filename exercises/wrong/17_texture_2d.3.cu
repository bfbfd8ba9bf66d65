// Refused as: numbers. At the border a neighbour is missing from the mean.

__global__ void mean4(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x + 0.5F;
    const float v = y + 0.5F;
    float sum = 0;
    if (x > 0) sum += tex2D<float>(in, u - 1, v);
    if (x + 1 < width) sum += tex2D<float>(in, u + 1, v);
    if (y > 0) sum += tex2D<float>(in, u, v - 1);
    if (y + 1 < height) sum += tex2D<float>(in, u, v + 1);
    out[x + y * width] = sum / 4;
}
