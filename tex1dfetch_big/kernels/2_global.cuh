// The same sum without textures: plain loads of 4, 8 or 16 bytes, by as many threads as the device holds.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

template <class Texel>
__global__ void global_kernel(std::uint32_t* total, const Texel* texels, std::size_t size) {
    add_block_sum(total, grid_sum(size, [&](std::size_t i) { return texels[i]; }));
}

}  // namespace cudabook::tex1dfetch_big
