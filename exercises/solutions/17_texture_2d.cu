// A neighbour's middle is 1 from the cell's own. Outside, the texture unit clamps the coordinate to the
// border's texel.

__global__ void mean4(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x + 0.5F;
    const float v = y + 0.5F;
    const float sum = tex2D<float>(in, u - 1, v) + tex2D<float>(in, u + 1, v) + tex2D<float>(in, u, v - 1) +
                      tex2D<float>(in, u, v + 1);
    out[x + y * width] = sum / 4;
}
