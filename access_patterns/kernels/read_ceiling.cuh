// Measures the highest rate of reading memory: loads of 16 bytes, from the array's beginning to its end. The
// loads bypass the multiprocessor's cache (__ldcg). So if the array stays in the L2 cache and is read
// repeatedly, the kernel measures the rate of the L2 cache, which all multiprocessors share.
#pragma once

#include <cstdint>

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

/// A thread has `at_once` loads in flight. `walk.count` is a multiple of walk_threads × `at_once`.
template <unsigned at_once>
__global__ void read_ceiling_kernel(std::uint32_t* total, const uint4* words, Walk walk) {
    constexpr unsigned tile = walk_threads * at_once;
    std::uint32_t sum = 0;
    for (std::uint32_t first = blockIdx.x * tile; first < walk.count; first += gridDim.x * tile) {
        uint4 fours[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k)
            fours[k] = __ldcg(words + ((first + k * walk_threads + threadIdx.x) & walk.last));
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k) sum += fours[k].x ^ fours[k].y ^ fours[k].z ^ fours[k].w;
    }
    add_block_sum(total, sum);
}

}  // namespace cudabook::access_patterns
