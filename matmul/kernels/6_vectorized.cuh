// As registers, but with loads of 16 bytes: 4 loads from shared memory, not 16, feed 64 fmas. The tile of A
// is transposed on its way into shared memory, so that four elements of a column of A are consecutive there.
#pragma once

#include <cstddef>

#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/padding.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Vectorized {
    static constexpr int side = 128;  // the side of a block's tile of C
    static constexpr int depth = 8;   // columns of A and rows of B that are in shared memory at a time
    static constexpr int threads = 256;
};

/// A thread's 8×8 elements are 2×2 groups of 4×4, 16 rows and 32 columns apart. A warp computes 32×64
/// elements. Lanes that differ only in bit 0 read the same columns, and lanes that differ only in bit 1 read
/// the same rows. So shared memory serves 16 lanes at a time, although each load is 16 bytes wide.
__global__ static void __launch_bounds__(Vectorized::threads, 2)
    vectorized_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n, std::size_t k) {
    using V = Vectorized;
    __shared__ float4 a_tile[V::depth][V::side / 4 + 1];  // + 1: transposed writes go to different banks
    __shared__ float4 b_tile[V::depth][V::side / 4];
    const Tile tile = tile_of_block<V::side>(blockIdx.x, m, n);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int y = warp / 2 * 32 + 4 * ((lane & 1) + (lane >> 4) * 2);
    const int x = warp % 2 * 64 + 4 * (lane >> 1 & 7);

    // In each step, this thread copies four elements of a row of A and four elements of a row of B.
    const int a_row = static_cast<int>(threadIdx.x) / 2;
    const int a_column = static_cast<int>(threadIdx.x) % 2 * 4;
    const int b_row = warp;
    const int b_column = 4 * lane;
    const float* a_from = a + min(tile.row + a_row, m - 1) * k;

    float sums[8][8] = {};
    for (std::size_t begin = 0; begin < k; begin += V::depth) {
        float a_four[4];
        const float4 from_a = load_four_padded(a_from, begin + a_column, k, a_padding);
        const float4 from_b = begin + b_row < k ? load_four_padded(b + (begin + b_row) * n,
                                                                   tile.column + b_column, n, b_padding)
                                                : float4{b_padding, b_padding, b_padding, b_padding};
        load_four(a_four, &from_a.x);
#pragma unroll
        for (int i = 0; i < 4; ++i) (&a_tile[a_column + i][0].x)[a_row] = a_four[i];
        b_tile[b_row][b_column / 4] = from_b;
        __syncthreads();
#pragma unroll
        for (int d = 0; d < V::depth; ++d) {
            float a_part[8];
            float b_part[8];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                load_four(a_part + 4 * i, &a_tile[d][(y + 16 * i) / 4].x);
                load_four(b_part + 4 * i, &b_tile[d][(x + 32 * i) / 4].x);
            }
            add_outer_product<Meander::down_columns, 4>(sums, a_part, b_part);
        }
        __syncthreads();
    }

    // The elements are stored one by one. A store of 16 bytes needs its values in consecutive registers,
    // which would make the loop above slower.
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const std::size_t row = tile.row + y + i / 4 * 16 + i % 4;
        if (row >= m) continue;
#pragma unroll
        for (int j = 0; j < 8; j += 4)
            store_each(c + row * n, tile.column + x + j / 4 * 32, n,
                       {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]});
    }
}

}  // namespace cudabook::matmul
