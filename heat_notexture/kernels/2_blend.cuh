// Heat flows: each cell moves towards its four neighbours. One thread for each cell reads five cells of
// global memory. A neighbour outside the room is the cell itself, so no heat leaves.
#pragma once

__global__ static void blend_kernel(float* out, const float* in, unsigned width, unsigned height,
                                    unsigned pitch, float speed) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const size_t offset = x + static_cast<size_t>(y) * pitch;
        const float cell = in[offset];
        const float left = in[x == 0 ? offset : offset - 1];
        const float right = in[x == width - 1 ? offset : offset + 1];
        const float top = in[y == 0 ? offset : offset - pitch];
        const float bottom = in[y == height - 1 ? offset : offset + pitch];
        const float sum = ((top + bottom) + left) + right;
        out[offset] = fmaf(speed, fmaf(-4, cell, sum), cell);
    }
}
