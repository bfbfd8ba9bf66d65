// 19. The filter
//
// Each pixel of the small picture is the mean of 2 x 2 texels of the large one. The kernel below is right,
// and fetches four texels for each pixel. The texture blends (cudaFilterModeLinear): between texels a fetch
// gives their mean, weighted by how near they are. The middle of texel (x, y) is at (x + 0.5, y + 0.5).
//
// Done: the same numbers with one fetch for each pixel.
//
// Further: texture_unit/kernels/4_bicubic.cuh blends sixteen texels with four fetches.

__global__ void halve(float* out, cudaTextureObject_t in, int width, int height) {  // of the small picture
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    // your answer here
    const float u = 2 * x + 0.5F;
    const float v = 2 * y + 0.5F;
    const float sum = tex2D<float>(in, u, v) + tex2D<float>(in, u + 1, v) + tex2D<float>(in, u, v + 1) +
                      tex2D<float>(in, u + 1, v + 1);
    out[x + y * width] = sum / 4;
}
