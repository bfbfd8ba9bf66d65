// As pipelined, without the pass that transposes A beforehand, which takes a fifth of the time where A is
// large and C is narrow. A thread loads four elements of a row of A into registers, multiplies for a while,
// and then writes them into a column of the next tile. The tile of C is half as wide as high: three blocks of
// a multiprocessor then fill its registers, and fewer places are left empty in the last round of blocks.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/padding.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Transposing {
    static constexpr int rows = 64;  // of a block's tile of C
    static constexpr int columns = 128;
    static constexpr int depth = 32;  // columns of A and rows of B in a stage
    static constexpr int threads = 128;
    static constexpr int stage_floats =
        depth * (rows + columns);  // one is filled while the other is multiplied
    static constexpr int shared_bytes = 2 * stage_floats * static_cast<int>(sizeof(float));
};

/// A warp makes 32×64 elements, a thread 8×8, as in vectorized. aligned: n and k are multiples of 4.
template <bool aligned>
__global__ void __launch_bounds__(Transposing::threads, 3)
    transposing_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                       std::size_t k) {
    using T = Transposing;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto* const shared = reinterpret_cast<float*>(shared_memory);
    const Tile tile = tile_of_block<T::rows, T::columns>(blockIdx.x, m, n);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int y = warp / 2 * 32 + 4 * ((lane & 1) + (lane >> 4) * 2);
    const int x = warp % 2 * 64 + 4 * (lane >> 1 & 7);

    // Of a stage, each thread copies four columns of every fourth row of B, and half a row of A: four
    // elements at a time, so that they take no more registers.
    constexpr int a_columns = T::depth / 2;
    const int a_row = thread % T::rows;
    const int a_column = thread / T::rows * a_columns;
    const float* const a_from = a + min(tile.row + a_row, m - 1) * k;
    const auto load_a = [&](std::size_t begin, int i) {
        return aligned ? load_four_aligned(a_from, begin + a_column + i, k, a_padding)
                       : load_four_padded(a_from, begin + a_column + i, k, a_padding);
    };
    const auto store_a = [&](int stage, int i, float4 four) {
        float* const to = shared + stage + (a_column + i) * T::rows + a_row;
        to[0] = four.x;
        to[T::rows] = four.y;
        to[2 * T::rows] = four.z;
        to[3 * T::rows] = four.w;
    };
    const auto copy_b = [&](int stage, std::size_t begin) {
#pragma unroll
        for (int d = 0; d < T::depth; d += 4) {
            const std::size_t row = begin + d + warp;
            copy_four_padded<aligned>(
                shared + stage + T::depth * T::rows + (d + warp) * T::columns + 4 * lane, b + row * n,
                tile.column + 4 * lane, row < k ? n : 0, b_padding);
        }
    };

    float sums[8][8] = {};
    copy_b(0, 0);
    __pipeline_commit();
    for (int i = 0; i < a_columns; i += 4) store_a(0, i, load_a(0, i));
    int stage = 0;
    for (std::size_t begin = 0; begin < k; begin += T::depth) {
        __pipeline_wait_prior(0);
        __syncthreads();
        const bool more = begin + T::depth < k;
        if (more) copy_b(T::stage_floats - stage, begin + T::depth);
        __pipeline_commit();
        const float* const a_tile = shared + stage + y;
        const float* const b_tile = shared + stage + T::depth * T::rows + x;
        float4 on_its_way{};
#pragma unroll
        for (int d = 0; d < T::depth; ++d) {
            if (more && d % 8 == 0) on_its_way = load_a(begin + T::depth, d / 2);
            float a_part[8];
            float b_part[8];
#pragma unroll
            for (int j = 0; j < 2; ++j) load_four(b_part + 4 * j, b_tile + d * T::columns + 32 * j);
#pragma unroll
            for (int i = 0; i < 2; ++i) load_four(a_part + 4 * i, a_tile + d * T::rows + 16 * i);
            add_outer_product<Meander::down_columns, 0>(sums, a_part, b_part);
            if (more && d % 8 == 7) store_a(T::stage_floats - stage, d / 8 * 4, on_its_way);
        }
        stage = T::stage_floats - stage;
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const std::size_t down = tile.row + y + i / 4 * 16 + i % 4;
        if (down >= m) continue;
#pragma unroll
        for (int j = 0; j < 2; ++j)
            store_four(c + down * n, tile.column + x + 32 * j, n,
                       {sums[i][4 * j], sums[i][4 * j + 1], sums[i][4 * j + 2], sums[i][4 * j + 3]});
    }
}

}  // namespace cudabook::matmul
