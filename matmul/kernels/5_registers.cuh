// Each thread computes 8×8 elements of C, in registers: 64 fmas need 16 numbers from shared memory, while
// in tiled they need 128. A block computes 128×128 elements, and the blocks are numbered so that blocks
// that run together read the same rows of A and columns of B (tile_of_block.cuh).
#pragma once

#include <cstddef>

#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/padding.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Registers {
    static constexpr int side = 128;       // the side of a block's tile of C
    static constexpr int thread_side = 8;  // the side of a thread's 8×8 elements
    static constexpr int threads_per_side = side / thread_side;
    static constexpr int threads = threads_per_side * threads_per_side;
    static constexpr int depth = 8;  // columns of A and rows of B that are in shared memory at a time
};

/// A thread's elements are not neighbours but 16 rows and 16 columns apart, so that neighbouring threads read
/// neighbouring elements of shared memory.
__global__ static void __launch_bounds__(Registers::threads, 2)
    registers_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n, std::size_t k) {
    using R = Registers;
    __shared__ float a_tile[R::depth][R::side + 1];
    __shared__ float b_tile[R::depth][R::side];
    const Tile tile = tile_of_block<R::side>(blockIdx.x, m, n);
    const int thread = static_cast<int>(threadIdx.x);
    const int x = thread % R::threads_per_side;
    const int y = thread / R::threads_per_side;

    float sums[R::thread_side][R::thread_side] = {};
    for (std::size_t begin = 0; begin < k; begin += R::depth) {
#pragma unroll
        for (int first = 0; first < R::side * R::depth; first += R::threads) {
            const int i = first + thread;
            const std::size_t a_row = tile.row + i / R::depth;
            const std::size_t a_column = begin + i % R::depth;
            a_tile[i % R::depth][i / R::depth] =
                a_row < m && a_column < k ? a[a_row * k + a_column] : a_padding;
            const std::size_t b_row = begin + i / R::side;
            const std::size_t b_column = tile.column + i % R::side;
            b_tile[i / R::side][i % R::side] =
                b_row < k && b_column < n ? b[b_row * n + b_column] : b_padding;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < R::depth; ++d) {
            float a_part[R::thread_side];
            float b_part[R::thread_side];
#pragma unroll
            for (int i = 0; i < R::thread_side; ++i) a_part[i] = a_tile[d][y + i * R::threads_per_side];
#pragma unroll
            for (int j = 0; j < R::thread_side; ++j) b_part[j] = b_tile[d][x + j * R::threads_per_side];
            add_outer_product<Meander::down_columns, 4>(sums, a_part, b_part);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < R::thread_side; ++i)
#pragma unroll
        for (int j = 0; j < R::thread_side; ++j) {
            const std::size_t row = tile.row + y + i * R::threads_per_side;
            const std::size_t column = tile.column + x + j * R::threads_per_side;
            if (row < m && column < n) c[row * n + column] = sums[i][j];
        }
}

}  // namespace cudabook::matmul
