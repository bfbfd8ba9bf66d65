// Converts temperatures to colours, one thread for each cell.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "common/numbers/colour_map.hpp"

namespace cudabook::heat {

__global__ static void colour_kernel(Rgba* pixels, const float* cells, unsigned width, unsigned height,
                                     unsigned pitch) {
    await_previous_launch();
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        pixels[x + static_cast<size_t>(y) * width] = colour_of(cells[x + static_cast<size_t>(y) * pitch]);
}

}  // namespace cudabook::heat
