// Writes the sources into a grid, for kernels that need the sources in the grid before their first step.
// There is one block for each tile that has sources.
#pragma once

#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

__global__ static void write_sources_kernel(float* cells, const float* sources,
                                            const unsigned* tiles_with_sources, unsigned width,
                                            unsigned height, unsigned pitch) {
    const unsigned tile = tiles_with_sources[blockIdx.x];
    const unsigned tiles_across = (width + tile_width - 1) / tile_width;
    const unsigned x0 = tile % tiles_across * tile_width + threadIdx.x;
    const unsigned y = tile / tiles_across * tile_height + threadIdx.y;
    for (unsigned x = x0; x < x0 + tile_width; x += tile_threads_x) {
        if (x >= pitch || y >= height) continue;  // the padding between the rows is written too
        const size_t offset = x + static_cast<size_t>(y) * pitch;
        if (sources[offset] != 0) cells[offset] = sources[offset];
    }
}

}  // namespace cudabook::heat
