// Plain loads. A warp's request takes all sectors of 32 bytes that contain its threads' elements.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void global_kernel(std::uint32_t* total, const Element* elements, Pattern pattern, Walk walk) {
    add_block_sum(total, sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) { return elements[j]; }));
}

}  // namespace cudabook::access_patterns
