// Reads memory and adds up the words, with a chosen number of loads in flight in each thread.
#pragma once

#include <cstddef>

namespace cudabook::occupancy {

/// A thread reads `words_of_thread` words, a multiple of `under_way`, and writes their sum. The words of a
/// block are consecutive in memory.
template <int under_way>
__global__ void memory_bound_kernel(const unsigned* words, int words_of_thread, unsigned* sums) {
    const unsigned* mine = words + std::size_t{blockIdx.x} * blockDim.x * words_of_thread + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < words_of_thread; i += under_way) {
        unsigned loaded[under_way];
#pragma unroll
        for (int j = 0; j < under_way; ++j) loaded[j] = __ldcs(mine + (i + j) * blockDim.x);
#pragma unroll
        for (int j = 0; j < under_way; ++j) sum += loaded[j];
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace cudabook::occupancy
