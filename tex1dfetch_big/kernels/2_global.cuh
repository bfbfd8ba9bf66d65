// The same sum through global memory: an index of 64 bits reaches the whole array, and nothing has to be
// bound or split. A thread reads texels of 4, 8 or 16 bytes by plain loads; as many threads run as the device
// holds.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

template <class Texel>
__device__ Texel load_by_index(const Texel* array, std::size_t i) {
    return array[i];
}

template <class Texel>
__global__ void global_kernel(std::uint32_t* total, const Texel* array, std::size_t texels) {
    add_block_sum(total, grid_sum(texels, [&](std::size_t i) { return load_by_index(array, i); }));
}

}  // namespace cudabook::tex1dfetch_big
