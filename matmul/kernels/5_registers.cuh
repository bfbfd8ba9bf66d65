// Each thread makes 8×8 elements of C, in registers: 16 numbers from shared memory feed 64 fmas, where tiled
// needed 128.
#pragma once

#include <cstddef>

#include "matmul/kernels/tile.cuh"

namespace cudabook::matmul {

struct Registers {
    static constexpr int side = 128;            // of the block's tile of C
    static constexpr int part = 8;              // of that side, a thread's share
    static constexpr int across = side / part;  // threads side by side
    static constexpr int threads = across * across;
    static constexpr int depth = 8;  // columns of A and rows of B that are in shared memory at a time
};

/// A thread's elements are `across` apart, so that neighbours in a warp read neighbours in shared memory.
__global__ static void __launch_bounds__(Registers::threads, 2)
    registers_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n, std::size_t k) {
    using R = Registers;
    __shared__ float a_tile[R::depth][R::side + 1];
    __shared__ float b_tile[R::depth][R::side];
    const Tile tile = tile_of_block<R::side, R::side>(blockIdx.x, m, n);
    const int thread = static_cast<int>(threadIdx.x);
    const int x = thread % R::across;
    const int y = thread / R::across;

    float sums[R::part][R::part] = {};
    for (std::size_t begin = 0; begin < k; begin += R::depth) {
#pragma unroll
        for (int first = 0; first < R::side * R::depth; first += R::threads) {
            const int i = first + thread;
            const std::size_t a_row = tile.row + i / R::depth;
            const std::size_t a_column = begin + i % R::depth;
            a_tile[i % R::depth][i / R::depth] =
                a_row < m && a_column < k ? a[a_row * k + a_column] : beyond_a;
            const std::size_t b_row = begin + i / R::side;
            const std::size_t b_column = tile.column + i % R::side;
            b_tile[i / R::side][i % R::side] = b_row < k && b_column < n ? b[b_row * n + b_column] : beyond_b;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < R::depth; ++d) {
            float a_part[R::part];
            float b_part[R::part];
#pragma unroll
            for (int i = 0; i < R::part; ++i) a_part[i] = a_tile[d][y + i * R::across];
#pragma unroll
            for (int j = 0; j < R::part; ++j) b_part[j] = b_tile[d][x + j * R::across];
            add_products(sums, a_part, b_part);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < R::part; ++i)
#pragma unroll
        for (int j = 0; j < R::part; ++j) {
            const std::size_t row = tile.row + y + i * R::across;
            const std::size_t column = tile.column + x + j * R::across;
            if (row < m && column < n) c[row * n + column] = sums[i][j];
        }
}

}  // namespace cudabook::matmul
