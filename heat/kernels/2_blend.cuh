// Heat flows: each cell's temperature moves towards its neighbours' temperatures. One thread a cell fetches
// five texels of a linear texture. The book had to name two textures at compile time and chose one by a flag.
// A texture object is an ordinary argument, so here the caller just swaps the two textures.
#pragma once

__global__ static void blend_kernel(float* out, cudaTextureObject_t in, unsigned width, unsigned height,
                                    unsigned pitch, float speed) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const unsigned offset = x + y * pitch;
        const float cell = tex1Dfetch<float>(in, offset);
        const float left = tex1Dfetch<float>(in, x == 0 ? offset : offset - 1);
        const float right = tex1Dfetch<float>(in, x == width - 1 ? offset : offset + 1);
        const float top = tex1Dfetch<float>(in, y == 0 ? offset : offset - pitch);
        const float bottom = tex1Dfetch<float>(in, y == height - 1 ? offset : offset + pitch);
        const float sum = ((top + bottom) + left) + right;
        out[offset] = fmaf(speed, fmaf(-4, cell, sum), cell);
    }
}
