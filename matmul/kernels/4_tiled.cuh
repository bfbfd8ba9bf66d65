// The guide's Muld: a block copies 16×16 tiles of A and B into shared memory, where each element is read 16
// times. Global memory is read a sixteenth as often, but shared memory is read twice for each fma.
#pragma once

#include <cstddef>

#include "matmul/kernels/padding.cuh"

namespace cudabook::matmul {

constexpr int tile_side = 16;  // the side of the tiles of A, B and C; a block has a thread for each element

__global__ static void tiled_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                                    std::size_t k) {
    __shared__ float a_tile[tile_side][tile_side];
    __shared__ float b_tile[tile_side][tile_side];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const std::size_t row = std::size_t{blockIdx.y} * tile_side + y;
    const std::size_t column = std::size_t{blockIdx.x} * tile_side + x;

    float sum = 0;
    for (std::size_t begin = 0; begin < k; begin += tile_side) {
        a_tile[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : a_padding;
        b_tile[y][x] = column < n && begin + y < k ? b[(begin + y) * n + column] : b_padding;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile_side; ++i) sum = fmaf(a_tile[y][i], b_tile[i][x], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
