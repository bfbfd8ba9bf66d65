// As vectorized, but asynchronous copies bring the next tiles while the current tiles are multiplied. The
// copies go from global to shared memory, without registers. An asynchronous copy cannot transpose, so A is
// transposed beforehand, in global memory (transpose_and_pad.cuh).
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "common/cuda/previous_launch.cuh"
#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/outer_product.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Pipelined {
    static constexpr int side = 128;  // the side of a block's tile of C
    static constexpr int depth = 32;  // columns of A and rows of B in a stage
    static constexpr int threads = 256;
    static constexpr int stage_floats = 2 * depth * side;  // one stage is filled while the other is
                                                           // multiplied
    static constexpr int shared_bytes = 2 * stage_floats * static_cast<int>(sizeof(float));
};

/// `a` is A transposed. `a` and `b` have `steps` × 32 rows each. A row begins `a_stride` or `b_stride`
/// elements after the previous row; both are multiples of 4.
__global__ static void __launch_bounds__(Pipelined::threads, 2)
    pipelined_kernel(float* c, const float* a, std::size_t a_stride, const float* b, std::size_t b_stride,
                     std::size_t m, std::size_t n, int steps) {
    using P = Pipelined;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto* const shared = reinterpret_cast<float*>(shared_memory);
    const Tile tile = tile_of_block<P::side>(blockIdx.x, m, n);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int y = warp / 2 * 32 + 4 * ((lane & 1) + (lane >> 4) * 2);
    const int x = warp % 2 * 64 + 4 * (lane >> 1 & 7);

    // Each thread copies four columns of every eighth row of a stage. Beyond the last column, the thread
    // copies the last four columns again; no element of C uses these copies.
    const int row = warp;
    const int column = 4 * lane;
    const float* a_from = a + row * a_stride + min(tile.row + column, a_stride - 4);
    const float* b_from = b + row * b_stride + min(tile.column + column, b_stride - 4);
    float* const to = shared + row * P::side + column;
    const auto copy = [&](int stage) {
#pragma unroll
        for (int d = 0; d < P::depth; d += 8) {
            __pipeline_memcpy_async(to + stage + d * P::side, a_from, 16);
            __pipeline_memcpy_async(to + stage + (P::depth + d) * P::side, b_from, 16);
            a_from += 8 * a_stride;
            b_from += 8 * b_stride;
        }
    };

    const float* const a_tile = shared + y;
    const float* const b_tile = shared + P::depth * P::side + x;
    float sums[8][8] = {};
    await_previous_launch();
    copy(0);
    __pipeline_commit();
    int stage = 0;
    for (int left = steps; left > 0; --left) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (left > 1) copy(P::stage_floats - stage);
        __pipeline_commit();
#pragma unroll
        for (int d = 0; d < P::depth; ++d) {
            float a_part[8];
            float b_part[8];
#pragma unroll
            for (int j = 0; j < 2; ++j) load_four(b_part + 4 * j, b_tile + stage + d * P::side + 32 * j);
#pragma unroll
            for (int i = 0; i < 2; ++i) load_four(a_part + 4 * i, a_tile + stage + d * P::side + 16 * i);
            add_outer_product<Meander::down_columns, 4>(sums, a_part, b_part);
        }
        stage = P::stage_floats - stage;
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const std::size_t down = tile.row + y + i / 4 * 16 + i % 4;
        if (down >= m) continue;
        // A store of 16 bytes needs four consecutive registers. For the sake of the main loop, nvcc keeps the
        // first four elements of a row in registers that are not consecutive.
        store_each(c + down * n, tile.column + x, n, {sums[i][0], sums[i][1], sums[i][2], sums[i][3]});
        store_four(c + down * n, tile.column + x + 32, n, {sums[i][4], sums[i][5], sums[i][6], sums[i][7]});
    }
}

}  // namespace cudabook::matmul
