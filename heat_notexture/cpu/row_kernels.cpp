#include "heat_notexture/cpu/row_kernels.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/program/simd.hpp"
#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

namespace cudabook::heat {

namespace {

// ----- the same at every SIMD level

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

/// Does the last fma of a step of scaled cells. If the result is small, repeats the fma in float64, which
/// is exact. Adding and subtracting `rounder` then rounds the result to a multiple of 2^-149, scaled.
float rounded_in_float64(float inner, float cell, float speed) {
    constexpr double rounder = 1.5 * 0x1p52 * 0x1p-149 * double{scale};
    const float result = std::fma(speed, inner, cell);
    if (result >= least_normal) return result;
    return static_cast<float>((double{speed} * double{inner} + double{cell} + rounder) - rounder);
}

// The lanes that a shuffle takes from two consecutive registers.
template <int lanes, class Lanes = std::make_integer_sequence<int, lanes>>
struct Indices;
template <int lanes, int... lane>
struct Indices<lanes, std::integer_sequence<int, lane...>> {
    using LastBefore = std::integer_sequence<int, (lane + lanes - 1)...>;
    using FirstAfter = std::integer_sequence<int, (lane + 1)...>;
    using Even = std::integer_sequence<int, (2 * lane)...>;
    using Odd = std::integer_sequence<int, (2 * lane + 1)...>;
    using Low = std::integer_sequence<int, (lane / 2 + lane % 2 * lanes)...>;
    using High = std::integer_sequence<int, (lanes / 2 + lane / 2 + lane % 2 * lanes)...>;
};

}  // namespace

// ----- each level

namespace portable {
namespace {
constexpr std::ptrdiff_t lanes = 4;
constexpr std::ptrdiff_t registers = 4;
using Floats [[gnu::vector_size(4 * lanes), gnu::may_alias]] = float;
using Bits [[gnu::vector_size(4 * lanes)]] = std::uint32_t;
inline Floats fma(Floats a, Floats b, Floats c) {
    for (int lane = 0; lane < lanes; ++lane) c[lane] = std::fma(a[lane], b[lane], c[lane]);
    return c;
}
inline void put_past_caches(float* to, Floats cells) { *reinterpret_cast<Floats*>(to) = cells; }
inline std::uint32_t below(Bits values, std::uint32_t limit) {
    std::uint32_t mask = 0;
    for (int lane = 0; lane < lanes; ++lane) mask |= (values[lane] < limit ? 1U : 0U) << lane;
    return mask;
}
inline Floats fma_where(const std::uint8_t* bits, std::ptrdiff_t first, Floats a, Floats b, Floats c) {
    for (int lane = 0; lane < lanes; ++lane)
        c[lane] = (bits[first / 8] >> (first % 8 + lane) & 1U) != 0 ? std::fma(a[lane], b[lane], c[lane]) : 0;
    return c;
}
#include "heat_notexture/cpu/rows_in_blocks.inl"
}  // namespace
}  // namespace portable

#ifdef __x86_64__
CUDABOOK_BEGIN_AVX2
namespace avx2 {
namespace {
constexpr std::ptrdiff_t lanes = 8;
constexpr std::ptrdiff_t registers = 8;
using Floats = __m256;
using Bits [[gnu::vector_size(4 * lanes)]] = std::uint32_t;
inline Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
inline void put_past_caches(float* to, Floats cells) { _mm256_stream_ps(to, cells); }
inline std::uint32_t below(Bits values, std::uint32_t limit) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<Floats>(values < limit)));
}
inline Floats fma_where(const std::uint8_t* bits, std::ptrdiff_t first, Floats a, Floats b, Floats c) {
    constexpr Bits bit{1, 2, 4, 8, 16, 32, 64, 128};
    return (bits[first / 8] & bit) != 0 ? fma(a, b, c) : Floats{};
}
#include "heat_notexture/cpu/rows_in_blocks.inl"
}  // namespace
}  // namespace avx2
CUDABOOK_END_LEVEL

CUDABOOK_BEGIN_AVX512
namespace avx512 {
namespace {
constexpr std::ptrdiff_t lanes = 16;
constexpr std::ptrdiff_t registers = 8;
using Floats = __m512;
using Bits [[gnu::vector_size(4 * lanes)]] = std::uint32_t;
inline Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
inline void put_past_caches(float* to, Floats cells) { _mm512_stream_ps(to, cells); }
inline std::uint32_t below(Bits values, std::uint32_t limit) {
    return _mm512_cmplt_epu32_mask(reinterpret_cast<__m512i>(values),
                                   _mm512_set1_epi32(static_cast<int>(limit)));
}
inline Floats fma_where(const std::uint8_t* bits, std::ptrdiff_t first, Floats a, Floats b, Floats c) {
    __mmask16 mask = 0;
    std::memcpy(&mask, bits + first / 8, sizeof mask);
    asm("" : "+k"(mask));  // otherwise GCC 12 loads the mask by a general register, and the fma waits longer
    return _mm512_maskz_fmadd_ps(mask, a, b, c);
}
#include "heat_notexture/cpu/rows_in_blocks.inl"
}  // namespace
}  // namespace avx512
CUDABOOK_END_LEVEL
#endif

#ifdef __wasm_relaxed_simd__
namespace relaxed {
namespace {
constexpr std::ptrdiff_t lanes = 4;
constexpr std::ptrdiff_t registers = 4;
using Floats [[gnu::vector_size(4 * lanes), gnu::may_alias]] = float;
using Bits [[gnu::vector_size(4 * lanes)]] = std::uint32_t;
inline Floats fma(Floats a, Floats b, Floats c) { return wasm_f32x4_relaxed_madd(a, b, c); }
inline void put_past_caches(float* to, Floats cells) { *reinterpret_cast<Floats*>(to) = cells; }
inline std::uint32_t below(Bits values, std::uint32_t limit) {
    return wasm_i32x4_bitmask(values < Bits{} + limit);
}
inline Floats fma_where(const std::uint8_t* bits, std::ptrdiff_t first, Floats a, Floats b, Floats c) {
    constexpr Bits bit{1, 2, 4, 8};
    return ((Bits{} + (bits[first / 8] >> (first % 8))) & bit) != 0 ? fma(a, b, c) : Floats{};
}
#include "heat_notexture/cpu/rows_in_blocks.inl"

/// Returns whether this machine's fma() rounds once.
bool is_fused() {
    volatile float one_and_more = 1 + 0x1p-23F;  // volatile: the compiler must not compute the result
    const Floats a = filled(one_and_more);
    return fma(a, a, filled(-1 - 0x1p-22F))[0] == 0x1p-46F;
}
}  // namespace
}  // namespace relaxed
#endif

std::span<const RowKernels> row_kernels() {
    static constexpr RowKernels all[] = {
#ifdef __x86_64__
        avx512::kernels_of("avx512"), avx2::kernels_of("avx2"),
#endif
#ifdef __wasm_relaxed_simd__
        relaxed::kernels_of("relaxed"),
#endif
        portable::kernels_of("portable")};
#ifdef __wasm_relaxed_simd__
    return std::span(all).last(relaxed::is_fused() ? 2 : 1);
#else
    return std::span(all).last(static_cast<std::size_t>(simd_level()) + 1);
#endif
}

bool subnormals_are_slow() {
#ifdef __wasm__
    return true;  // a page's clock is too coarse to measure it
#else
    static const bool slow = [] {
        const RowKernels& kernels = row_kernels().front();
        constexpr std::ptrdiff_t stride = largest_block + 2 * 16;  // a register before and after each row
        alignas(64) float rows[(batch_rows + 2) * stride];
        Batch batch{};
        for (int i = 0; i < batch_rows + 2; ++i) batch.rows[i] = rows + (i * stride + 16);
        batch.blocks = largest_block / kernels.block();
        batch.speed = 0.25F;
        const auto shortest_step = [&](float temperature) {
            auto shortest = std::chrono::steady_clock::duration::max();
            for (int i = 0; i < 20; ++i) {
                std::ranges::fill(rows, temperature);
                const auto start = std::chrono::steady_clock::now();
                kernels.step(batch);
                shortest = std::min(shortest, std::chrono::steady_clock::now() - start);
            }
            return shortest;
        };
        return shortest_step(0x1p-130F) > 2 * shortest_step(1);
    }();
    return slow;
#endif
}

}  // namespace cudabook::heat
