// The tensor cores: one warp instruction multiplies 16×8 by 8×8 elements, rounded to TF32 with 11 significant
// bits, and adds the products in float32. With `products` = 3 each operand is split into two TF32 numbers,
// and three of the four products are added. The fourth product is smaller than a rounding error.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/ptx/mma.cuh"
#include "common/cuda/ptx/tf32.cuh"
#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/pack.cuh"
#include "matmul/kernels/store_finite.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

template <int products>
struct Tf32 {
    static constexpr int parts = products == 3 ? 2 : 1;  // the parts of each element of B
    static constexpr int floats = (1 + parts) * packed_floats;
    static constexpr int stages = products == 3 ? 2 : 3;
    static constexpr int shared_bytes = stages * floats * static_cast<int>(sizeof(float));
    static constexpr int threads = 256;
};

/// A block computes 128×128 elements of C, a warp 64×32. The tensor cores truncate sums instead of rounding
/// them. So they add up the products of only 32 elements along k, and ordinary additions do the rest.
template <int products>
__global__ void __launch_bounds__(Tf32<products>::threads)
    tf32_kernel(float* c, const float* packed_a, const float* packed_b, const float* a, const float* b,
                std::size_t m, std::size_t n, std::size_t k) {
#if __CUDA_ARCH__ >= 800
    using T = Tf32<products>;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto* const shared = reinterpret_cast<float*>(shared_memory);
    const Tile tile = tile_of_block<packed_side>(blockIdx.x, m, n);
    const std::size_t depth = (k + packed_depth - 1) / packed_depth;  // tiles along k
    packed_a += tile.row / packed_side * depth * packed_floats;
    packed_b += tile.column / packed_side * depth * (T::parts * packed_floats);
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int y = thread / 32 / 4 * 64;
    const int x = thread / 32 % 4 * 32;

    const auto copy = [&](std::size_t step) {
        float* to = shared + step % T::stages * T::floats;
        if (step < depth) {
#pragma unroll
            for (int i = 4 * thread; i < packed_floats; i += 4 * T::threads)
                __pipeline_memcpy_async(to + i, packed_a + step * packed_floats + i, 16);
#pragma unroll
            for (int i = 4 * thread; i < T::parts * packed_floats; i += 4 * T::threads)
                __pipeline_memcpy_async(to + packed_floats + i,
                                        packed_b + step * T::parts * packed_floats + i, 16);
        }
        __pipeline_commit();
    };

    float sums[4][4][4] = {};
    for (int step = 0; step < T::stages - 1; ++step) copy(step);
    for (std::size_t step = 0; step < depth; ++step) {
        __pipeline_wait_prior(T::stages - 2);
        __syncthreads();
        copy(step + T::stages - 1);
        const float* a_tile = shared + step % T::stages * T::floats;
        const float* b_tile = a_tile + packed_floats;
        float parts[4][4][4] = {};
#pragma unroll
        for (int d = 0; d < packed_depth / 8; ++d) {
            float high[4][4];
            float low[4][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                load_four(low[i], a_tile + (((y / 16 + i) * 4 + d) * 32 + lane) * 4);
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    high[i][e] = ptx::to_tf32(low[i][e]);
                    low[i][e] -= high[i][e];
                }
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const float* from = b_tile + (2 * d * packed_side + x + 8 * j) * 4 + lane;
                const float b0 = from[0];
                const float b1 = from[4 * packed_side];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    if constexpr (products == 3) {
                        ptx::multiply_16x8x8(parts[i][j], low[i], b0, b1);
                        ptx::multiply_16x8x8(parts[i][j], high[i], from[packed_floats],
                                             from[packed_floats + 4 * packed_side]);
                    }
                    ptx::multiply_16x8x8(parts[i][j], high[i], b0, b1);
                }
            }
        }
#pragma unroll
        for (int i = 0; i < 64; ++i) (&sums[0][0][0])[i] += (&parts[0][0][0])[i];
    }

#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const std::size_t row = tile.row + y + 16 * i + lane / 4 + e / 2 * 8;
                const std::size_t column = tile.column + x + 8 * j + lane % 4 * 2 + e % 2;
                if (row < m && column < n) store_finite(c, sums[i][j][e], a, b, row, column, n, k);
            }
#endif
}

}  // namespace cudabook::matmul
