// As tf32 with three products, by Hopper's own instructions: the four warps of a warpgroup multiply together,
// asynchronously, and read B from shared memory directly. One thread keeps shared memory filled; each of its
// copies brings a whole tile. A goes from global memory into registers, since no two warps need the same part
// of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/tf32.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/pack.cuh"
#include "matmul/kernels/store_finite.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

struct Tf32x3 {
    static constexpr int stages = 5;
    struct Shared {
        float b[stages][2][packed_floats];  // each element rounded to TF32, and the rest of it
        ptx::Barrier full[stages];
        ptx::Barrier empty[stages];
    };
    static constexpr int consumers = 256;  // threads: two warpgroups, each of 64 rows of C
    static constexpr int threads = consumers + 128;
};

/// Four elements of a row of A, and four of the row eight below it, twice: what a lane needs of 32 columns.
__device__ inline void load_part(float (&to)[2][8], const float* upper, const float* lower,
                                 std::size_t column, std::size_t k) {
    const float* const rows[] = {upper, lower};
    if (k % 4 == 0 && column + 8 <= k) {
#pragma unroll
        for (int i = 0; i < 4; ++i) load_four(&to[i / 2][i % 2 * 4], rows[i / 2] + column + i % 2 * 4);
    } else {
#pragma unroll
        for (int i = 0; i < 16; ++i)
            to[i / 8][i % 8] = column + i % 8 < k ? rows[i / 8][column + i % 8] : 0.0F;
    }
}

/// A block makes 128×128 elements of C, a warp 16×128 of them.
__global__ static void __launch_bounds__(Tf32x3::threads, 1)
    tf32x3_kernel(float* c, const float* packed_b, const float* a, const float* b, std::size_t m,
                  std::size_t n, std::size_t k) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using T = Tf32x3;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto& shared = *reinterpret_cast<T::Shared*>(shared_memory);
    const Tile tile = tile_of_block<packed_side>(blockIdx.x, m, n);
    const int depth = static_cast<int>((k + packed_depth - 1) / packed_depth);  // tiles along k
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;

    if (thread == 0) {
        for (int stage = 0; stage < T::stages; ++stage) {
            ptx::init(shared.full[stage], 1);
            ptx::init(shared.empty[stage], T::consumers / 32);
        }
        ptx::publish_barriers();
    }
    __syncthreads();

    if (thread >= T::consumers) {
        ptx::shrink_to<40>();
        if (thread > T::consumers) return;
        const float* from = packed_b + tile.column / packed_side * depth * (2 * packed_floats);
        for (int step = 0; step < depth; ++step, from += 2 * packed_floats) {
            const int stage = step % T::stages;
            if (step >= T::stages) ptx::wait(shared.empty[stage], (step / T::stages - 1) & 1);
            constexpr int bytes = sizeof(shared.b[0]);
            ptx::arrive_and_expect(shared.full[stage], bytes);
            ptx::copy(shared.b[stage], from, bytes, shared.full[stage]);
        }
    } else {
        ptx::grow_to<232>();
        const std::size_t row = tile.row + warp * 16 + lane / 4;
        const float* const upper = a + min(row, m - 1) * k;
        const float* const lower = a + min(row + 8, m - 1) * k;
        float part[2][8];
        load_part(part, upper, lower, lane % 4 * 8, k);
        float sums[64] = {};
        for (int step = 0; step < depth; ++step) {
            float high[4][4];
            float low[4][4];
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                const float whole = part[i % 2][i / 2];
                high[i / 4][i % 4] = ptx::to_tf32(whole);
                low[i / 4][i % 4] = whole - high[i / 4][i % 4];
            }
            const int stage = step % T::stages;
            ptx::wait(shared.full[stage], step / T::stages & 1);
            const auto b_high = ptx::describe(shared.b[stage][0], packed_side * 16, 128);
            const auto b_low = ptx::describe(shared.b[stage][1], packed_side * 16, 128);
            constexpr int next = 2 * packed_side;  // to the next step's core matrices, in units of 16 bytes
            float products[64];
            ptx::begin_products();
#pragma unroll
            for (int d = 0; d < 4; ++d) ptx::multiply(products, low[d], b_high + d * next, d > 0);
#pragma unroll
            for (int d = 0; d < 4; ++d) ptx::multiply(products, high[d], b_low + d * next, true);
#pragma unroll
            for (int d = 0; d < 4; ++d) ptx::multiply(products, high[d], b_high + d * next, true);
            ptx::end_products();
            if (step + 1 < depth)
                load_part(part, upper, lower, std::size_t{packed_depth} * (step + 1) + lane % 4 * 8, k);
            ptx::await_products();
            if (lane == 0) ptx::arrive(shared.empty[stage]);
#pragma unroll
            for (int i = 0; i < 64; ++i) sums[i] += products[i];
        }
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            const std::size_t down = row + i / 2 % 2 * 8;
            const std::size_t column = tile.column + i / 4 * 8 + lane % 4 * 2 + i % 2;
            if (down < m && column < n) store_finite(c, sums[i], a, b, down, column, n, k);
        }
    }
#endif
}

}  // namespace cudabook::matmul
