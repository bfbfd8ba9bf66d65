// The guide's Muld: a block brings 16×16 tiles of A and of B into shared memory, where each element is read
// 16 times. Global memory is read a sixteenth as often; shared memory now is read twice for each fma.
#pragma once

#include <cstddef>

#include "matmul/kernels/1_naive.cuh"

namespace cudabook::matmul {

__global__ static void tiled_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                                    std::size_t k) {
    __shared__ float a_tile[plain_side][plain_side];
    __shared__ float b_tile[plain_side][plain_side];
    const Tile tile = tile_of_block<plain_side, plain_side>(blockIdx.x, m, n);
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const std::size_t row = tile.row + y;
    const std::size_t column = tile.column + x;

    float sum = 0;
    for (std::size_t begin = 0; begin < k; begin += plain_side) {
        a_tile[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : beyond_a;
        b_tile[y][x] = column < n && begin + y < k ? b[(begin + y) * n + column] : beyond_b;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < plain_side; ++i) sum = fmaf(a_tile[y][i], b_tile[i][x], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
