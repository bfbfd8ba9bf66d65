// Loads with __ldg: no thread writes the memory during the kernel. So the multiprocessor's cache may keep the
// elements, as it keeps texels. On today's GPUs, it also keeps the elements of plain loads.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void ldg_kernel(std::uint32_t* total, const Element* elements, Pattern pattern, Walk walk) {
    add_block_sum(total,
                  sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) { return __ldg(elements + j); }));
}

}  // namespace cudabook::access_patterns
