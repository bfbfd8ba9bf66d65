// What the kernels share: the sum of a texel's components, of a thread's texels, and of a block's threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cub/block/block_reduce.cuh>

namespace cudabook::tex1dfetch_big {

__device__ inline std::uint32_t sum_of(std::uint32_t texel) { return texel; }
__device__ inline std::uint32_t sum_of(uint2 texel) { return texel.x + texel.y; }
__device__ inline std::uint32_t sum_of(uint4 texel) { return texel.x + texel.y + texel.z + texel.w; }

constexpr int sum_threads = 512;  // of a block that calls add_block_sum()

/// This thread's part of the sum of `size` texels; `read` gives texel i. The grid reads tile by tile, and of
/// a tile a thread reads 32 bytes. It asks for all of them before it adds the first: memory is far away, and
/// a thread that waits for 4 bytes before it asks for the next 4 reads at 60 % of the speed.
template <class Read>
__device__ std::uint32_t grid_sum(std::size_t size, Read read) {
    constexpr int at_once = 32 / sizeof(read(size));
    const std::size_t tile = std::size_t{at_once} * blockDim.x;
    std::uint32_t sum = 0;
    std::size_t i = blockIdx.x * tile + threadIdx.x;
    for (; i + (at_once - 1) * blockDim.x < size; i += gridDim.x * tile) {
        decltype(read(size)) texels[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) texels[k] = read(i + k * blockDim.x);
#pragma unroll
        for (int k = 0; k < at_once; ++k) sum += sum_of(texels[k]);
    }
    for (; i < size; i += blockDim.x) sum += sum_of(read(i));  // what is left of the last tile
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
