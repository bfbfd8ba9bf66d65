// The code that the kernels share: a walk through the array in a pattern's order, and the sum of all bytes
// read.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include <cub/block/block_reduce.cuh>

#include "access_patterns/pattern.hpp"

namespace cudabook::access_patterns {

__device__ inline std::uint32_t sum_of_bytes(std::uint32_t word) { return __dp4a(word, 0x01010101U, 0U); }
__device__ inline std::uint32_t sum_of_bytes(unsigned char byte) { return byte; }
__device__ inline std::uint32_t sum_of_bytes(unsigned short two) { return sum_of_bytes(std::uint32_t{two}); }
__device__ inline std::uint32_t sum_of_bytes(uint2 words) {
    return sum_of_bytes(words.x) + sum_of_bytes(words.y);
}
__device__ inline std::uint32_t sum_of_bytes(uint4 words) {
    return sum_of_bytes(words.x) + sum_of_bytes(words.y) + sum_of_bytes(words.z) + sum_of_bytes(words.w);
}

/// The length of a walk: `count` reads, a multiple of the tile's size. `last` is the number of elements of
/// the array, minus 1. A walk that is longer than the array reads the array again in the same order.
struct Walk {
    std::uint32_t last;
    std::uint32_t count;
};

/// Returns this thread's share of the sum over a walk. read(j) returns element j. In each tile, the thread
/// issues all its loads before it uses the first loaded element.
template <class Element, class Pattern, class Read>
__device__ std::uint32_t sum_of_walk(const Pattern& pattern, Walk walk, Read read) {
    constexpr unsigned at_once = reads_at_once(sizeof(Element));
    constexpr unsigned tile = walk_tile(sizeof(Element));
    std::uint32_t sum = 0;
    for (std::uint32_t first = blockIdx.x * tile; first < walk.count; first += gridDim.x * tile) {
        const std::uint32_t i = (first & walk.last) + threadIdx.x;
        const std::uint32_t start = pattern(i);
        Element elements[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k) {
            const unsigned step = k * walk_threads;  // the bits of step are 0 in i
            if constexpr (Pattern::permutes_bits)
                elements[k] = read(start ^ pattern(step));
            else
                elements[k] = read(pattern(i + step));
        }
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k) sum += sum_of_bytes(elements[k]);
    }
    return sum;
}

/// Adds the sums of a block's threads to *total.
__device__ inline void add_block_sum(std::uint32_t* total, std::uint32_t sum_of_thread) {
    using BlockReduce = cub::BlockReduce<std::uint32_t, static_cast<int>(walk_threads)>;
    __shared__ typename BlockReduce::TempStorage storage;
    const std::uint32_t sum = BlockReduce(storage).Sum(sum_of_thread);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

/// The array as a plane with 2^width_bits elements in a row: converts an element's index to coordinates.
struct Plane {
    unsigned width_bits;

    __device__ std::uint32_t x(std::uint32_t element) const { return element & ((1U << width_bits) - 1); }
    __device__ std::uint32_t y(std::uint32_t element) const { return element >> width_bits; }
};

}  // namespace cudabook::access_patterns
