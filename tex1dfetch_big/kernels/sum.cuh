// The code that the kernels share: the sum of a texel's components, of a thread's texels, and of a block's
// threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cub/block/block_reduce.cuh>

namespace cudabook::tex1dfetch_big {

__device__ inline std::uint32_t sum_of(std::uint32_t texel) { return texel; }
__device__ inline std::uint32_t sum_of(uint2 texel) { return texel.x + texel.y; }
__device__ inline std::uint32_t sum_of(uint4 texel) { return texel.x + texel.y + texel.z + texel.w; }

constexpr unsigned sum_threads = 512;  // the threads of a block that calls add_block_sum()

/// The number of texels, 32 bytes in all, that a thread requests before it adds the first texel. The
/// latency of memory is long: a thread that waits for 4 bytes before it requests the next 4 bytes reads
/// only 60 % as fast.
template <class Texel>
constexpr unsigned texels_at_once = 32 / sizeof(Texel);

/// The number of texels that a block of sum_threads threads reads at once, a power of two.
template <class Texel>
constexpr unsigned tile_texels = 32 * sum_threads / sizeof(Texel);

/// Returns this thread's share of the sum of `size` texels, which the grid reads tile by tile. All threads of
/// a block call tile_at(first) once for each tile. The result of tile_at(first) is a function of k that
/// returns texel `first + k`. In a tile, the loads that a warp issues together are 1 KB of consecutive
/// memory, which memory sends faster than 8 separate pieces.
template <class Texel, class TileAt>
__device__ std::uint32_t grid_sum(std::size_t size, TileAt tile_at) {
    constexpr unsigned at_once = texels_at_once<Texel>;
    constexpr unsigned tile = tile_texels<Texel>;
    const unsigned lane = threadIdx.x % 32;
    const unsigned mine = (threadIdx.x - lane) * at_once + lane;
    std::uint32_t sum = 0;
    for (std::size_t first = std::size_t{blockIdx.x} * tile; first < size;
         first += std::size_t{gridDim.x} * tile) {
        const auto texel = tile_at(first);
        if (size - first >= tile) {
            Texel texels[at_once];
#pragma unroll
            for (unsigned k = 0; k < at_once; ++k) texels[k] = texel(mine + 32 * k);
#pragma unroll
            for (unsigned k = 0; k < at_once; ++k) sum += sum_of(texels[k]);
        } else {
            for (unsigned k = threadIdx.x; k < size - first; k += sum_threads) sum += sum_of(texel(k));
        }
    }
    return sum;
}

/// Adds the sums of a block's threads to *total.
__device__ inline void add_block_sum(std::uint32_t* total, std::uint32_t sum_of_thread) {
    using BlockReduce = cub::BlockReduce<std::uint32_t, static_cast<int>(sum_threads)>;
    __shared__ typename BlockReduce::TempStorage storage;
    const std::uint32_t sum = BlockReduce(storage).Sum(sum_of_thread);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

}  // namespace cudabook::tex1dfetch_big
