#include "matmul/cpu/simd_loops.hpp"

#include <cmath>

#include "common/program/simd.hpp"

namespace cudabook::matmul {

namespace {

[[gnu::always_inline]] inline void add_row(float* __restrict c, const float* __restrict a,
                                           const float* __restrict b, Index n, Index k) {
    for (Index p = 0; p < k; ++p)
#pragma omp simd
        for (Index j = 0; j < n; ++j) c[j] = std::fma(a[p], b[p * n + j], c[j]);
}

template <int rows, int columns>
[[gnu::always_inline]] inline void add_tile(float* __restrict c, Index stride, const float* __restrict a,
                                            const float* __restrict b, Index depth) {
    float sums[rows][columns];
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) sums[i][j] = c[i * stride + j];
    for (Index p = 0; p < depth; ++p, a += rows, b += columns)
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i)
#pragma omp simd
            for (int j = 0; j < columns; ++j) sums[i][j] = std::fma(a[i], b[j], sums[i][j]);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) c[i * stride + j] = sums[i][j];
}

[[gnu::always_inline]] inline float chain_fmas(Index rounds) {
    float chains[ceiling_chains] = {};
    for (Index round = 0; round < rounds; ++round)
#pragma omp simd
        for (float& chain : chains) chain = std::fma(chain, 0.999F, 0.5F);
    float sum = 0;
    for (const float chain : chains) sum += chain;
    return sum;
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_LOOPS(name, target, rows, columns)                                                         \
    namespace name {                                                                                        \
    static_assert(rows * columns <= largest_tile);                                                          \
    target void row(float* c, const float* a, const float* b, Index n, Index k) { add_row(c, a, b, n, k); } \
    target void tile(float* c, Index stride, const float* a, const float* b, Index depth) {                 \
        add_tile<rows, columns>(c, stride, a, b, depth);                                                    \
    }                                                                                                       \
    target float chain(Index rounds) { return chain_fmas(rounds); }                                         \
    constexpr SimdLoops loops{#name, rows, columns, row, tile, chain};                                      \
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
