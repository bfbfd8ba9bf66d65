// The grids are CUDA arrays, whose memory keeps neighbours in both directions close together. The order of
// the cells in this memory is not documented, so a kernel has no pointer to them: it fetches through a
// texture, as kernel `texture2d` does, and writes through a surface, where x counts bytes. A thread may not
// fetch what the same launch writes, because the texture cache does not see the writes. So there are two
// arrays as before, and the next launch sees all writes.
#pragma once

__global__ static void surface_kernel(cudaSurfaceObject_t out, cudaTextureObject_t in,
                                      cudaTextureObject_t sources, unsigned width, unsigned height,
                                      float speed, bool write_sources) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x + 0.5F;  // the middle of the texel
    const float v = y + 0.5F;
    const float cell = tex2D<float>(in, u, v);
    const float left = tex2D<float>(in, u - 1, v);
    const float right = tex2D<float>(in, u + 1, v);
    const float top = tex2D<float>(in, u, v - 1);
    const float bottom = tex2D<float>(in, u, v + 1);
    const float sum = ((top + bottom) + left) + right;
    float next = fmaf(speed, fmaf(-4, cell, sum), cell);
    if (write_sources) {
        const float source = tex2D<float>(sources, u, v);
        if (source != 0) next = source;
    }
    surf2Dwrite(next, out, static_cast<int>(x * sizeof(float)), static_cast<int>(y));
}
