// As pipelined, but without the pass that transposes A beforehand, which takes a fifth of the time if A is
// large and C is narrow. A thread loads four elements of a row of A into registers, multiplies for a while,
// and then writes them into a column of the next tile. The tile of C is half as high as wide, so that three
// blocks fit into a multiprocessor's registers, and the last wave of blocks fills more of the GPU.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/padding.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Transposing {
    static constexpr int rows = 64;  // the rows and columns of a block's tile of C
    static constexpr int columns = 128;
    static constexpr int depth = 16;  // columns of A and rows of B in a stage
    static constexpr int threads = 128;
    static constexpr int stage_floats =
        depth * (rows + columns);  // one stage is filled while the other is multiplied
    static constexpr int shared_bytes = 2 * stage_floats * static_cast<int>(sizeof(float));
};

/// How the next stage is copied: whole, without bounds checks; padded beyond the matrices; or not at all.
enum class Copy { whole, padded, none };

/// A warp computes 32×64 elements and a thread 8×8, as in vectorized_kernel. `aligned` means that n and k are
/// multiples of 4.
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

    // In each stage a thread copies four columns of every fourth row of B, and half a row of A. The thread
    // copies A four elements at a time, so that the copy takes only four registers. Beyond the last column,
    // Copy::whole copies the last four columns again; no element of C uses these copies.
    constexpr int half = T::depth / 2;
    const float* const a_row = a + min(tile.row + thread % T::rows, m - 1) * k;
    const std::size_t a_column = thread / T::rows * half;
    const std::size_t b_column = tile.column + 4 * lane;
    const std::size_t b_column_inside = n < 4 ? 0 : min(b_column, n - 4);  // used only if n % 4 == 0
    float* const a_to = shared + thread / T::rows * half * T::rows + thread % T::rows;
    float* const b_to = shared + T::depth * T::rows + warp * T::columns + 4 * lane;
    const auto load_a = [&]<Copy copy>(std::size_t begin, int i) {
        if (copy == Copy::whole) return *reinterpret_cast<const float4*>(a_row + begin + a_column + i);
        return load_four_padded(a_row, begin + a_column + i, k, a_padding);
    };
    const auto store_a = [&](int stage, int i, float4 four) {
        float* const to = a_to + stage + i * T::rows;
        to[0] = four.x;
        to[T::rows] = four.y;
        to[2 * T::rows] = four.z;
        to[3 * T::rows] = four.w;
    };
    const auto copy_b = [&]<Copy copy>(int stage, std::size_t begin) {
        const float* from = b + (begin + warp) * n;
#pragma unroll
        for (int d = 0; d < T::depth; d += 4, from += 4 * n) {
            float* const to = b_to + stage + d * T::columns;
            if (copy == Copy::whole)
                __pipeline_memcpy_async(to, from + b_column_inside, sizeof(float4));
            else
                copy_four_padded<aligned>(to, from, b_column, begin + d + warp < k ? n : 0, b_padding);
        }
    };

    float sums[8][8] = {};
    int stage = 0;
    const auto multiply_stage = [&]<Copy copy>(std::size_t next) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if constexpr (copy != Copy::none) copy_b.template operator()<copy>(T::stage_floats - stage, next);
        __pipeline_commit();
        const float* const a_tile = shared + stage + y;
        const float* const b_tile = shared + stage + T::depth * T::rows + x;
        float4 on_its_way{};
#pragma unroll
        for (int d = 0; d < T::depth; ++d) {
            if constexpr (copy != Copy::none)
                if (d % 8 == 0) on_its_way = load_a.template operator()<copy>(next, d / 2);
            float a_part[8];
            float b_part[8];
#pragma unroll
            for (int j = 0; j < 2; ++j) load_four(b_part + 4 * j, b_tile + d * T::columns + 32 * j);
#pragma unroll
            for (int i = 0; i < 2; ++i) load_four(a_part + 4 * i, a_tile + d * T::rows + 16 * i);
            add_outer_product<Meander::along_rows, 4>(sums, a_part, b_part);
            if (copy != Copy::none && d % 8 == 7) store_a(T::stage_floats - stage, d / 8 * 4, on_its_way);
        }
        stage = T::stage_floats - stage;
    };

    copy_b.template operator()<Copy::padded>(0, 0);
    __pipeline_commit();
    for (int i = 0; i < half; i += 4) store_a(0, i, load_a.template operator()<Copy::padded>(0, i));
    std::size_t next = T::depth;
    if (aligned)
        for (; next + T::depth <= k; next += T::depth) multiply_stage.template operator()<Copy::whole>(next);
    for (; next < k; next += T::depth) multiply_stage.template operator()<Copy::padded>(next);
    multiply_stage.template operator()<Copy::none>(0);

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
