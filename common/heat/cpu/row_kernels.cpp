// Plain C++ that the compiler vectorises, once for each SIMD level.
#include "common/heat/cpu/row_kernels.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/program/simd.hpp"

namespace cudabook::heat {

namespace {

namespace loops {

/// As unsigned integers, positive floats less one are in order, and 0 is the largest of all.
constexpr std::uint32_t least_normal = std::bit_cast<std::uint32_t>(0x1p-126F * scale) - 1;

[[gnu::always_inline]] inline float inner_fma(const float* top, const float* row, const float* bottom,
                                              std::ptrdiff_t x) {
    return std::fma(-4.0F, row[x], ((top[x] + bottom[x]) + row[x - 1]) + row[x + 1]);
}

[[gnu::always_inline]] inline void plain_row(float* __restrict out, const float* top, const float* row,
                                             const float* bottom, int n, float speed) {
#pragma omp simd
    for (int x = 0; x < n; ++x) out[x] = std::fma(speed, inner_fma(top, row, bottom, x), row[x]);
}

/// The least of the n results less one, n a multiple of row_lanes.
[[gnu::always_inline]] inline std::uint32_t scaled_cells(float* __restrict out, const float* __restrict top,
                                                         const float* __restrict row,
                                                         const float* __restrict bottom, int n, float speed) {
    if (n % row_lanes != 0) __builtin_unreachable();
    std::uint32_t least = ~0U;
    for (int x = 0; x < n; ++x) {
        out[x] = std::fma(speed, inner_fma(top, row, bottom, x), row[x]);
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(out[x]) - 1;
        least = bits < least ? bits : least;
    }
    return least;
}

/// Rounds row_lanes results where they are small.
[[gnu::always_inline]] inline void round_cells(float* __restrict out, const float* __restrict top,
                                               const float* __restrict row, const float* __restrict bottom,
                                               float speed) {
    // In float64 the last fma is exact, and adding and taking away this number rounds to multiples of 2^-149,
    // scaled.
    constexpr double rounder = 1.5 * 0x1p52 * 0x1p-149 * double{scale};
    constexpr float normal = 0x1p-126F * scale;
#pragma omp simd
    for (int x = 0; x < row_lanes; ++x) {
        const double exact = double{speed} * double{inner_fma(top, row, bottom, x)} + double{row[x]};
        const auto rounded = static_cast<float>((exact + rounder) - rounder);
        out[x] = out[x] < normal ? rounded : out[x];
    }
}

[[gnu::always_inline]] inline void scaled_row(float* out, const float* top, const float* row,
                                              const float* bottom, int n, float speed) {
    constexpr int block = 8 * row_lanes;  // the results that are asked together whether one is small
    for (int begin = 0; begin < n; begin += block) {
        const int count = n - begin < block ? n - begin : block;
        const int end = begin + count;
        if (scaled_cells(out + begin, top + begin, row + begin, bottom + begin, count, speed) >= least_normal)
            continue;
        for (int x = begin; x < end; x += row_lanes) {
            std::uint32_t least = ~0U;
            for (int i = x; i < x + row_lanes; ++i) {
                const std::uint32_t bits = std::bit_cast<std::uint32_t>(out[i]) - 1;
                least = bits < least ? bits : least;
            }
            if (least < least_normal) round_cells(out + x, top + x, row + x, bottom + x, speed);
        }
    }
}

[[gnu::always_inline]] inline void write_sources(float* __restrict row, const float* __restrict sources,
                                                 int n) {
#pragma omp simd
    for (int x = 0; x < n; ++x) row[x] = sources[x] != 0 ? sources[x] : row[x];
}

/// One step of a whole grid, from the formula in solver.hpp.
[[gnu::always_inline]] inline void reference_step(float* __restrict out, float* __restrict in,
                                                  const float* sources, int width, int height, float speed) {
    const std::ptrdiff_t w = width;
    for (std::ptrdiff_t i = 0; i < w * height; ++i)
        if (sources[i] != 0) in[i] = sources[i];
    for (std::ptrdiff_t y = 0; y < height; ++y)
        for (std::ptrdiff_t x = 0; x < w; ++x) {
            const float* cell = in + y * w + x;
            const float top = y > 0 ? cell[-w] : *cell;
            const float bottom = y < height - 1 ? cell[w] : *cell;
            const float left = x > 0 ? cell[-1] : *cell;
            const float right = x < w - 1 ? cell[1] : *cell;
            const float sum = ((top + bottom) + left) + right;
            out[y * w + x] = std::fma(speed, std::fma(-4.0F, *cell, sum), *cell);
        }
}

}  // namespace loops

// Each level compiles the same bodies once more.
// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_ROW_KERNELS(name, target)                                                                   \
    namespace name {                                                                                         \
    target void plain(float* out, const float* top, const float* row, const float* bottom, int n,            \
                      float speed) {                                                                         \
        loops::plain_row(out, top, row, bottom, n, speed);                                                   \
    }                                                                                                        \
    target void scaled(float* out, const float* top, const float* row, const float* bottom, int n,           \
                       float speed) {                                                                        \
        loops::scaled_row(out, top, row, bottom, n, speed);                                                  \
    }                                                                                                        \
    target void write_sources(float* row, const float* sources, int n) {                                     \
        loops::write_sources(row, sources, n);                                                               \
    }                                                                                                        \
    target void reference(float* out, float* in, const float* sources, int width, int height, float speed) { \
        loops::reference_step(out, in, sources, width, height, speed);                                       \
    }                                                                                                        \
    constexpr RowKernels kernels{#name, plain, scaled, write_sources, reference};                            \
    }

CUDABOOK_ROW_KERNELS(portable, )
#ifdef __x86_64__
CUDABOOK_ROW_KERNELS(avx2, CUDABOOK_AVX2)
CUDABOOK_ROW_KERNELS(avx512, CUDABOOK_AVX512)
#endif
// NOLINTEND(bugprone-macro-parentheses)
#undef CUDABOOK_ROW_KERNELS

}  // namespace

std::span<const RowKernels> row_kernels() {
    static constexpr RowKernels all[] = {
#ifdef __x86_64__
        avx512::kernels, avx2::kernels,
#endif
        portable::kernels};
    return std::span(all).last(static_cast<std::size_t>(simd_level()) + 1);
}

}  // namespace cudabook::heat
