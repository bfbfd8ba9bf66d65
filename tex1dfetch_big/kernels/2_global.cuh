// The sum through global memory: an index of 64 bits reaches the whole array, and nothing has to be bound or
// split. A thread reads texels of 4, 8 or 16 bytes by plain loads. As many threads run as the device holds.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

template <class Texel>
__global__ void global_kernel(std::uint32_t* total, const Texel* array, std::size_t texels) {
    add_block_sum(total, grid_sum<Texel>(texels, [&](std::size_t first) {
                      return [=](unsigned k) { return array[first + k]; };
                  }));
}

}  // namespace cudabook::tex1dfetch_big
