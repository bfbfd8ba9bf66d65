// The grid is a two-dimensional texture. The texture unit clamps a coordinate outside the grid to the edge,
// so the neighbour of an edge cell is the cell itself, without a comparison in the kernel. A thread computes
// one cell, and a launch does one step.
#pragma once

__global__ static void texture2d_kernel(float* out, cudaTextureObject_t in, cudaTextureObject_t sources,
                                        unsigned width, unsigned height, unsigned pitch, float speed,
                                        bool write_sources) {
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
    out[x + static_cast<size_t>(y) * pitch] = next;
}
