// What all kernels of the room do with what they have read.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cub/block/block_reduce.cuh>

namespace cudabook::tex1dfetch_big {

__device__ inline std::uint32_t sum_of(std::uint32_t texel) { return texel; }
__device__ inline std::uint32_t sum_of(uint2 texel) { return texel.x + texel.y; }
__device__ inline std::uint32_t sum_of(uint4 texel) { return texel.x + texel.y + texel.z + texel.w; }

constexpr int sum_threads = 512;  // of a block that calls add_block_sum()

/// This thread's share of the sum of `size` texels. The grid takes them tile by tile; of a tile a thread has
/// 32 bytes, which are on their way together: what comes from memory takes long, and a thread that waits for
/// 4 bytes before it asks for the next 4 reads at 60 % of the speed.
template <class Fetch>
__device__ std::uint32_t grid_sum(std::size_t size, Fetch fetch) {
    constexpr int at_once = 32 / sizeof(fetch(size));
    const std::size_t tile = std::size_t{at_once} * blockDim.x;
    std::uint32_t sum = 0;
    std::size_t i = blockIdx.x * tile + threadIdx.x;
    for (; i + (at_once - 1) * blockDim.x < size; i += gridDim.x * tile) {
        decltype(fetch(size)) texels[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) texels[k] = fetch(i + k * blockDim.x);
#pragma unroll
        for (int k = 0; k < at_once; ++k) sum += sum_of(texels[k]);
    }
    for (; i < size; i += blockDim.x) sum += sum_of(fetch(i));  // what is left of the last tile
    return sum;
}

/// Adds the sums of a block's threads to *total.
__device__ inline void add_block_sum(std::uint32_t* total, std::uint32_t sum_of_thread) {
    using BlockReduce = cub::BlockReduce<std::uint32_t, sum_threads>;
    __shared__ typename BlockReduce::TempStorage storage;
    const std::uint32_t sum = BlockReduce(storage).Sum(sum_of_thread);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

}  // namespace cudabook::tex1dfetch_big
