// The sources keep their temperature: before each step they are written into the grid.
// One thread a cell; where the source is 0 the cell stays as it is. The loop is for grids that are taller
// than one launch may cover.
#pragma once

__global__ static void copy_const_kernel(float* in, const float* sources, unsigned width, unsigned height,
                                         unsigned pitch) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const size_t offset = x + static_cast<size_t>(y) * pitch;
        const float source = sources[offset];
        if (source != 0) in[offset] = source;
    }
}
