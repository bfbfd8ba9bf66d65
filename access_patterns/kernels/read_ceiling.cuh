// How fast memory can be read: 16 bytes a load, from the beginning to the end, four loads in flight, and no
// pattern.
#pragma once

#include <cstdint>

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

/// `words` are so many that `last` is the last, a power of two; of `count` reads the next begins at the first
/// again.
__global__ inline void read_ceiling_kernel(std::uint32_t* total, const uint4* words, Walk walk) {
    std::uint32_t sum = 0;
#pragma unroll 4
    for (std::uint32_t i = blockIdx.x * walk_threads + threadIdx.x; i < walk.count;
         i += gridDim.x * walk_threads) {
        const uint4 four = words[i & walk.last];
        sum += four.x ^ four.y ^ four.z ^ four.w;
    }
    add_block_sum(total, sum);
}

}  // namespace cudabook::access_patterns
