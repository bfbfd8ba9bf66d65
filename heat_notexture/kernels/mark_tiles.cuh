// Finds the tiles that have a source, so that a step need not read the sources of the other tiles. Most of
// the room has no sources.
#pragma once

#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

__global__ static void mark_tiles_kernel(const float* sources, bool* tile_has_source, unsigned width,
                                         unsigned height, unsigned pitch) {
    const unsigned tiles_across = (width + tile_width - 1) / tile_width;
    const unsigned x0 = blockIdx.x % tiles_across * tile_width + threadIdx.x;
    const unsigned y = blockIdx.x / tiles_across * tile_height + threadIdx.y;
    bool source = false;
    for (unsigned x = x0; x < x0 + tile_width; x += tile_threads_x)
        if (x < width && y < height) source = source || sources[x + static_cast<size_t>(y) * pitch] != 0;
    source = __syncthreads_or(source);
    if (threadIdx.x == 0 && threadIdx.y == 0) tile_has_source[blockIdx.x] = source;
}

}  // namespace cudabook::heat
