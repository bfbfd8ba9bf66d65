// Fills the input of memory_bound: word i is i times Knuth's multiplier, mod 2^32.
#pragma once

#include <cstddef>

namespace cudabook::occupancy {

__global__ inline void fill_kernel(unsigned* words, std::size_t size) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride)
        words[i] = static_cast<unsigned>(i) * 2654435761U;
}

}  // namespace cudabook::occupancy
