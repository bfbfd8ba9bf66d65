// Makes a bit grid, in which each bit says whether a cell is a source. A launch has one block for each
// row; a block has 32 × n threads for any n.
#pragma once

#include "heat_notexture/gpu/stream_tiling.hpp"

namespace cudabook::heat {

// bits: source_words(width) words for each row.
__global__ static void mark_sources_kernel(const float* sources, unsigned* bits, unsigned width,
                                           unsigned pitch) {
    const size_t y = blockIdx.x;
    const unsigned words = source_words(static_cast<int>(width));
    for (unsigned word = threadIdx.y; word < words; word += blockDim.y) {
        const unsigned x = 32 * word + threadIdx.x;
        const unsigned found = __ballot_sync(~0U, x < width && sources[x + y * pitch] != 0);
        if (threadIdx.x == 0) bits[word + y * words] = found;
    }
}

}  // namespace cudabook::heat
