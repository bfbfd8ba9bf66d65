// As global, but with __ldg: loads of memory that nobody writes. The elements may stay in the cache of the
// multiprocessor, as texels do; on today's GPUs this is true of plain loads too.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void ldg_kernel(std::uint32_t* total, const Element* elements, Pattern pattern, Walk walk) {
    add_block_sum(total,
                  sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) { return __ldg(elements + j); }));
}

}  // namespace cudabook::access_patterns
