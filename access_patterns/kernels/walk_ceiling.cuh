// A walk that reads nothing. It measures the time that computing the indices of the elements takes.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Pattern>
__global__ void walk_ceiling_kernel(std::uint32_t* total, Pattern pattern, Walk walk) {
    add_block_sum(total, sum_of_walk<std::uint32_t>(pattern, walk, [](std::uint32_t j) { return j; }));
}

}  // namespace cudabook::access_patterns
