#include "matmul/cpu/simd_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/program/simd.hpp"

namespace cudabook::matmul {

namespace {

[[gnu::always_inline]] inline void add_row(float* __restrict c, const float* __restrict a,
                                           const float* __restrict b, Index n, Index k) {
    for (Index p = 0; p < k; ++p)
#pragma omp simd
        for (Index j = 0; j < n; ++j) c[j] = std::fma(a[p], b[p * n + j], c[j]);
}

// The first step along k adds products to the elements of C, or to 0. All other steps add to registers.
template <int rows, int columns>
[[gnu::always_inline]] inline void add_tile(float* __restrict c, Index stride, const float* __restrict a,
                                            const float* __restrict b, Index depth, bool from_zero) {
    float sums[rows][columns];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma omp simd
        for (int j = 0; j < columns; ++j)
            sums[i][j] = std::fma(a[i * copied_row], b[j], from_zero ? 0.0F : c[i * stride + j]);
    for (Index p = 1; p < depth; ++p) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i)
#pragma omp simd
            for (int j = 0; j < columns; ++j)
                sums[i][j] = std::fma(a[i * copied_row + p], b[p * columns + j], sums[i][j]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma omp simd
        for (int j = 0; j < columns; ++j) c[i * stride + j] = sums[i][j];
}

template <int columns>
[[gnu::always_inline]] inline void copy_strips(float* __restrict to, const float* __restrict from,
                                               Index stride, Index depth, Index width) {
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
template <int rows, int columns>
[[gnu::always_inline]] inline float chain_fmas(Index rounds) {
    float chains[rows][columns] = {};
    for (Index round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
        for (auto& row : chains)
#pragma omp simd
            for (float& chain : row) chain = std::fma(chain, 0.999F, 0.5F);
    }
    float sum = 0;
    for (const auto& row : chains)
        for (const float chain : row) sum += chain;
    return sum;
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_LOOPS(name, target, rows, columns)                                                         \
    namespace name {                                                                                        \
    static_assert(rows <= most_rows && columns <= most_columns);                                            \
    target void row(float* c, const float* a, const float* b, Index n, Index k) { add_row(c, a, b, n, k); } \
    template <int height>                                                                                   \
    target void tile(float* c, Index stride, const float* a, const float* b, Index depth, bool from_zero) { \
        add_tile<height, columns>(c, stride, a, b, depth, from_zero);                                       \
    }                                                                                                       \
    template <int... below>                                                                                 \
    constexpr std::array<AddTile*, rows> tiles_of(std::integer_sequence<int, below...>) {                   \
        return {tile<below + 1>...};                                                                        \
    }                                                                                                       \
    constexpr std::array<AddTile*, rows> tiles = tiles_of(std::make_integer_sequence<int, rows>());         \
    target void copy(float* to, const float* from, Index stride, Index depth, Index width) {                \
        copy_strips<columns>(to, from, stride, depth, width);                                               \
    }                                                                                                       \
    target float chain(Index rounds) { return chain_fmas<rows, columns>(rounds); }                          \
    constexpr SimdLoops loops{#name, rows, columns, row, tiles.data(), copy, chain};                        \
    }

CUDABOOK_LOOPS(portable, , 4, 8)
#ifdef __x86_64__
CUDABOOK_LOOPS(avx2, CUDABOOK_AVX2, 6, 16)
CUDABOOK_LOOPS(avx512, CUDABOOK_AVX512, 14, 32)
#endif
// NOLINTEND(bugprone-macro-parentheses)
#undef CUDABOOK_LOOPS

}  // namespace

std::span<const SimdLoops> simd_loops() {
    static constexpr SimdLoops all[] = {
#ifdef __x86_64__
        avx512::loops, avx2::loops,
#endif
        portable::loops};
    return std::span(all).last(static_cast<std::size_t>(simd_level()) + 1);
}

}  // namespace cudabook::matmul
