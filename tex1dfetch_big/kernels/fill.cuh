// Fills an array with the rand() stream.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/numbers/rand_stream.hpp"

namespace cudabook::tex1dfetch_big {

constexpr int fill_warps = 4;  // the warps of a block

/// Each thread makes `run` consecutive words, 31 at a time; `run` is a multiple of 31. The threads of a warp
/// write their words together.
__global__ static void fill_kernel(std::uint32_t* words, std::size_t size, std::size_t run) {
    __shared__ std::uint32_t tiles[fill_warps][32][RandStream::order];
    auto& tile = tiles[threadIdx.x / 32];
    const unsigned lane = threadIdx.x % 32;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t warp_begin = (thread - lane) * run;

    RandStream stream(thread * run);
    for (std::size_t done = 0; done < run; done += RandStream::order) {
#pragma unroll
        for (int i = 0; i < RandStream::order; ++i) tile[lane][i] = stream();
        __syncwarp();
        for (unsigned row = 0; row < 32; ++row) {
            const std::size_t i = warp_begin + row * run + done + lane;
            if (lane < RandStream::order && i < size) words[i] = tile[row][lane];
        }
        __syncwarp();
    }
}

}  // namespace cudabook::tex1dfetch_big
