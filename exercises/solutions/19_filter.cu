// The corner where four texels meet is as near to each: the filter weighs them 1/4. It is half a texel from
// the first one's middle.

__global__ void halve(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[x + y * width] = tex2D<float>(in, 2 * x + 1, 2 * y + 1);
}
