// Hopper's warpgroup instructions for the tensor cores: the four warps of a warpgroup multiply together,
// asynchronously, and read both factors from shared memory. One thread keeps shared memory filled; each of
// its copies brings a whole tile. If elements have two parts, three of the four products are added. The
// fourth product is smaller than a rounding error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/previous_launch.cuh"
#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "matmul/kernels/pack_tiles.cuh"
#include "matmul/kernels/store_finite.cuh"
#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

/// A block computes 128×width elements of C.
template <class Operands, int width>
struct Warpgroups {
    static constexpr int a_bytes = PackedTile<Operands>::bytes(packed_side);
    static constexpr int b_bytes = PackedTile<Operands>::bytes(width);
    static constexpr int stages = std::min(8, 200 * 1024 / (a_bytes + b_bytes));
    struct Shared {
        unsigned char a[stages][a_bytes];
        unsigned char b[stages][b_bytes];
        ptx::Barrier full[stages];
        ptx::Barrier empty[stages];
    };
    static constexpr int consumers = 256;  // the threads of two warpgroups, which compute 64 rows of C each
    static constexpr int threads = consumers + 128;
};

/// Adds the products of one tile along k to `sums`, which count as 0 if `add` is false. If the elements have
/// two parts, the products with a low part are added before the product of the two high parts.
template <class Operands, int width>
__device__ void multiply_tile(float (&sums)[width / 2], const unsigned char* a, const unsigned char* b,
                              bool add) {
    using Element = typename Operands::Element;
    constexpr int groups = PackedTile<Operands>::groups;
    const auto a_of = [&](int part, int group) {
        return ptx::describe(a + (part * groups + group) * packed_side * 16, packed_side * 16, 128);
    };
    const auto b_of = [&](int part, int group) {
        return ptx::describe(b + (part * groups + group) * width * 16, width * 16, 128);
    };
#pragma unroll
    for (int group = 0; group < groups; group += 2) {
        if constexpr (Operands::parts == 2) {
            ptx::multiply<Element>(sums, a_of(1, group), b_of(0, group), add || group > 0);
            ptx::multiply<Element>(sums, a_of(0, group), b_of(1, group), true);
        }
        ptx::multiply<Element>(sums, a_of(0, group), b_of(0, group),
                               add || group > 0 || Operands::parts == 2);
    }
}

/// The tensor cores truncate sums instead of rounding them. So where accuracy matters, the tensor cores add
/// up only `tiles_in_a_sum` tiles, and ordinary additions do the rest.
template <class Operands, int width>
__global__ void __launch_bounds__(Warpgroups<Operands, width>::threads, 1)
    warpgroups_kernel(float* c, const unsigned char* packed_a, const unsigned char* packed_b,
                      const int* scales, const float* a, const float* b, std::size_t m, std::size_t n,
                      std::size_t k) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using W = Warpgroups<Operands, width>;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto& shared = *reinterpret_cast<typename W::Shared*>(shared_memory);
    const Tile tile = tile_of_block<packed_side, width>(blockIdx.x, m, n);
    const int depth = static_cast<int>((k + packed_depth - 1) / packed_depth);  // tiles along k
    const int thread = static_cast<int>(threadIdx.x);

    if (thread == 0) {
        for (int stage = 0; stage < W::stages; ++stage) {
            ptx::init(shared.full[stage], 1);
            ptx::init(shared.empty[stage], W::consumers / 32);
        }
        ptx::publish_barriers();
    }
    __syncthreads();
    await_previous_launch();

    if (thread >= W::consumers) {
        ptx::shrink_to<40>();
        if (thread > W::consumers) return;
        packed_a += tile.row / packed_side * depth * W::a_bytes;
        packed_b += tile.column / width * depth * W::b_bytes;
        for (int step = 0; step < depth; ++step) {
            const int stage = step % W::stages;
            if (step >= W::stages) ptx::wait(shared.empty[stage], (step / W::stages - 1) & 1);
            ptx::arrive_and_expect(shared.full[stage], W::a_bytes + W::b_bytes);
            ptx::copy(shared.a[stage], packed_a + std::size_t{W::a_bytes} * step, W::a_bytes,
                      shared.full[stage]);
            ptx::copy(shared.b[stage], packed_b + std::size_t{W::b_bytes} * step, W::b_bytes,
                      shared.full[stage]);
        }
        return;
    }

    ptx::grow_to<232>();
    const int lane = thread % 32;
    const int row = thread / 32 * 16 + lane / 4;
    const auto empty = [&](int step) {
        if (lane == 0) ptx::arrive(shared.empty[step % W::stages]);
    };
    constexpr bool adds = Operands::tiles_in_a_sum != INT_MAX;
    float products[width / 2];
    float sums[adds ? width / 2 : 1] = {};
    for (int step = 0; step < depth;) {
        const int first = step;
        const int end = first + min(Operands::tiles_in_a_sum, depth - first);
        for (; step < end; ++step) {
            const int stage = step % W::stages;
            ptx::wait(shared.full[stage], step / W::stages & 1);
            ptx::begin_products();
            multiply_tile<Operands, width>(products, shared.a[stage] + thread / 128 * 64 * 16,
                                           shared.b[stage], step > first);
            ptx::end_products();
            if (step == first) continue;
            ptx::await_products_before_last();
            empty(step - 1);
        }
        ptx::await_products();
        empty(end - 1);
        if constexpr (adds) {
#pragma unroll
            for (int i = 0; i < width / 2; ++i) sums[i] += products[i];
        }
    }

    // Scaled elements are less than 2^15. If a sum of k unscaled products could overflow, unscaled() returns
    // a NaN, so that store_finite() computes the element again by fmas, as the reference does. One of the
    // reference's partial sums may overflow even if later products would cancel it.
    const int most = 127 - 30 - (64 - __clzll(static_cast<long long>(k)));
    const auto scale = [&](std::size_t i, std::size_t end) { return i < end ? scales[i] : 0; };
    const auto unscaled = [&](float sum, int row_scale, std::size_t column) {
        if (!Operands::scaled) return sum;
        const int exponent = row_scale + scale(m + column, m + n);
        if (exponent > most) return __int_as_float(0x7fffffff);
        return exponent >= -126 ? sum * power_of_two(exponent) : ldexpf(sum, exponent);
    };
#pragma unroll
    for (int lower = 0; lower < 2; ++lower) {
        const std::size_t down = tile.row + row + 8 * lower;
        if (down >= m) continue;
        const int row_scale = Operands::scaled ? scales[down] : 0;
#pragma unroll
        for (int j = 0; j < width / 8; ++j) {
            const int i = 4 * j + 2 * lower;
            const std::size_t column = tile.column + 8 * j + lane % 4 * 2;
            const float2 both = adds ? float2{sums[adds ? i : 0], sums[adds ? i + 1 : 0]}
                                     : float2{products[i], products[i + 1]};
            store_two_finite(c,
                             {unscaled(both.x, row_scale, column), unscaled(both.y, row_scale, column + 1)},
                             a, b, down, column, n, k);
        }
    }
#endif
}

}  // namespace cudabook::matmul
