// One thread for each element of C, which reads its row of A and its column of B from global memory: 8 bytes
// for one fma, most of them from a cache.
#pragma once

#include <cstddef>

#include "matmul/kernels/tile.cuh"

namespace cudabook::matmul {

constexpr int plain_side = 16;  // of the blocks of the first four kernels

__global__ static void naive_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                                    std::size_t k) {
    const Tile tile = tile_of_block<plain_side, plain_side>(blockIdx.x, m, n);
    const std::size_t row = tile.row + threadIdx.y;
    const std::size_t column = tile.column + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum = fmaf(a[row * k + i], b[i * n + column], sum);
    c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
