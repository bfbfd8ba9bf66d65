#include "matmul/cpu/simd_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/program/simd_levels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matmul/cpu/simd_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file for each SIMD level
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cudabook::matmul {
namespace {
namespace HWY_NAMESPACE {

#include "common/program/simd_floats.inl"

#if HWY_TARGET == HWY_AVX3
constexpr int rows = 14;
constexpr int columns = 32;
#elif HWY_TARGET == HWY_AVX2
constexpr int rows = 6;
constexpr int columns = 16;
#else
constexpr int rows = HWY_ARCH_ARM ? 8 : 4;
constexpr int columns = 8;
#endif
constexpr int registers = columns / lanes;  // of a row of the tile
static_assert(rows <= most_rows && columns <= most_columns);

void add_row(float* __restrict c, const float* __restrict a, const float* __restrict b, Index n, Index k) {
    for (Index p = 0; p < k; ++p)
#pragma omp simd
        for (Index j = 0; j < n; ++j) c[j] = std::fma(a[p], b[p * n + j], c[j]);
}

template <int height>
void add_tile(float* __restrict c, Index stride, const float* __restrict a, const float* __restrict b,
              Index depth, bool from_zero) {
    Floats sums[height][registers];
#pragma GCC unroll 16
    for (int i = 0; i < height; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < registers; ++j)
            sums[i][j] = from_zero ? hn::Zero(floats) : hn::LoadU(floats, c + i * stride + j * lanes);
    for (Index p = 0; p < depth; ++p) {
        Floats row[registers];
#pragma GCC unroll 8
        for (int j = 0; j < registers; ++j) row[j] = hn::LoadU(floats, b + p * columns + j * lanes);
#pragma GCC unroll 16
        for (int i = 0; i < height; ++i) {
            const Floats factor = hn::Set(floats, a[i * copied_row + p]);
#pragma GCC unroll 8
            for (int j = 0; j < registers; ++j) sums[i][j] = fma(factor, row[j], sums[i][j]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < height; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < registers; ++j) hn::StoreU(sums[i][j], floats, c + i * stride + j * lanes);
}

void copy_strips(float* __restrict to, const float* __restrict from, Index stride, Index depth, Index width) {
    constexpr Index rows_ahead = 4;
    const Index in_whole_strips = width / columns * columns;
    for (Index p = 0; p < depth; ++p, from += stride, to += columns) {
        prefetch_row(from + std::min(rows_ahead, depth - 1 - p) * stride, width);
        for (Index strip = 0; strip < in_whole_strips; strip += columns)
            std::memcpy(to + strip * depth, from + strip, columns * sizeof(float));
        if (in_whole_strips == width) continue;
        for (Index j = 0; j < columns; ++j)
            to[in_whole_strips * depth + j] = in_whole_strips + j < width ? from[in_whole_strips + j] : 0;
    }
}

// Computes as many chains of fmas as a tile has elements. The chains fit into the registers, and there are
// enough chains to hide the latency of an fma.
float chain_fmas(Index rounds) {
    Floats chains[rows * registers];
#pragma GCC unroll 32
    for (int i = 0; i < rows * registers; ++i)  // all differ, so that the compiler computes each
        chains[i] = hn::Set(floats, static_cast<float>(i));
    for (Index round = 0; round < rounds; ++round)
#pragma GCC unroll 32
        for (Floats& chain : chains) chain = fma(chain, hn::Set(floats, 0.999F), hn::Set(floats, 0.5F));
    Floats sum = hn::Zero(floats);
#pragma GCC unroll 32
    for (const Floats& chain : chains) sum = hn::Add(sum, chain);
    return hn::GetLane(hn::SumOfLanes(floats, sum));
}

template <int... below>
constexpr std::array<AddTile*, rows> tiles_of(std::integer_sequence<int, below...>) {
    return {add_tile<below + 1>...};
}
constexpr std::array<AddTile*, rows> tiles = tiles_of(std::make_integer_sequence<int, rows>());

constexpr SimdLoops loops{simd_name(HWY_TARGET), rows,        columns,   add_row,
                          tiles.data(),          copy_strips, chain_fmas};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace cudabook::matmul
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudabook::matmul {

std::span<const SimdLoops> simd_loops() {
    static const auto all =
        loops_of_this_processor(HWY_CHOOSE_AVX3(loops), HWY_CHOOSE_AVX2(loops), HWY_STATIC_DISPATCH(loops));
    return all;
}

}  // namespace cudabook::matmul
#endif
