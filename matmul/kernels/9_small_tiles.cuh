// A kernel for a C so small that tiles of 64×128 leave multiprocessors without work. Smaller tiles give
// work to all multiprocessors. A multiprocessor may then have only one block, which must hide the latency
// of memory by its own copies: three stages are copied while one is multiplied. The tile of A is not
// transposed: a thread reads four consecutive elements of a row at a time.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/padding.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

/// The size of a block's tile of C, and of each thread's part of it. A warp has 4×8 threads.
template <int tile_rows, int tile_columns, int rows_of_thread, int columns_of_thread>
struct SmallTile {
    static constexpr int rows = tile_rows;
    static constexpr int columns = tile_columns;
    static constexpr int thread_rows = rows_of_thread;
    static constexpr int thread_columns = columns_of_thread;
    static constexpr int threads = rows / thread_rows * (columns / thread_columns);
    static constexpr int depth = 32;  // columns of A and rows of B in a stage
    static constexpr int stages = 4;
    static constexpr int a_stride = depth + 4;  // lanes that read different rows have no bank conflict
    static constexpr int stage_floats = rows * a_stride + depth * columns;
    static constexpr int shared_bytes = stages * stage_floats * static_cast<int>(sizeof(float));
};

using Tile32x32 = SmallTile<32, 32, 2, 4>;
using Tile32x64 = SmallTile<32, 64, 4, 4>;
using Tile64x64 = SmallTile<64, 64, 8, 4>;

/// `aligned` means that n and k are multiples of 4.
template <class T, bool aligned>
__global__ void __launch_bounds__(T::threads)
    small_tiles_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                       std::size_t k) {
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto* const shared = reinterpret_cast<float*>(shared_memory);
    const Tile tile = tile_of_block<T::rows, T::columns>(blockIdx.x, m, n);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;
    constexpr int warps_across = T::columns / (8 * T::thread_columns);
    const int y = warp / warps_across * 4 * T::thread_rows + (lane & 1) + (lane >> 4) * 2;
    const int x = warp % warps_across * 8 * T::thread_columns + 4 * (lane >> 1 & 7);

    const std::size_t steps = (k + T::depth - 1) / T::depth;
    const auto copy = [&](std::size_t step) {
        if (step < steps) {
            float* const a_to = shared + step % T::stages * T::stage_floats;
            float* const b_to = a_to + T::rows * T::a_stride;
#pragma unroll
            for (int first = 0; first < T::rows * T::depth / 4; first += T::threads) {
                const int i = first + thread;
                const int row = i / (T::depth / 4);
                const int column = i % (T::depth / 4) * 4;
                copy_four_padded<aligned>(a_to + row * T::a_stride + column,
                                          a + min(tile.row + row, m - 1) * k, step * T::depth + column, k,
                                          a_padding);
            }
#pragma unroll
            for (int first = 0; first < T::depth * T::columns / 4; first += T::threads) {
                const int i = first + thread;
                const std::size_t row = step * T::depth + i / (T::columns / 4);
                const int column = i % (T::columns / 4) * 4;
                copy_four_padded<aligned>(b_to + 4 * i, b + row * n, tile.column + column, row < k ? n : 0,
                                          b_padding);
            }
        }
        __pipeline_commit();
    };

    float sums[T::thread_rows][T::thread_columns] = {};
    for (int step = 0; step < T::stages - 1; ++step) copy(step);
    for (std::size_t step = 0; step < steps; ++step) {
        __pipeline_wait_prior(T::stages - 2);
        __syncthreads();
        copy(step + T::stages - 1);
        const float* const a_tile = shared + step % T::stages * T::stage_floats + y * T::a_stride;
        const float* const b_tile = shared + step % T::stages * T::stage_floats + T::rows * T::a_stride + x;
#pragma unroll
        for (int d = 0; d < T::depth; d += 4) {
            float a_four[T::thread_rows][4];
#pragma unroll
            for (int i = 0; i < T::thread_rows; ++i) load_four(a_four[i], a_tile + 4 * i * T::a_stride + d);
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                float a_part[T::thread_rows];
                float b_part[T::thread_columns];
#pragma unroll
                for (int i = 0; i < T::thread_rows; ++i) a_part[i] = a_four[i][e];
#pragma unroll
                for (int j = 0; j < T::thread_columns; j += 4)
                    load_four(b_part + j, b_tile + (d + e) * T::columns + 8 * j);
                add_outer_product<Meander::along_rows, 0>(sums, a_part, b_part);
            }
        }
    }

#pragma unroll
    for (int i = 0; i < T::thread_rows; ++i) {
        const std::size_t down = tile.row + y + 4 * i;
        if (down >= m) continue;
#pragma unroll
        for (int j = 0; j < T::thread_columns; j += 4)
            store_four(c + down * n, tile.column + x + 8 * j, n,
                       {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]});
    }
}

}  // namespace cudabook::matmul
