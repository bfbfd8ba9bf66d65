#include "heat_notexture/cpu/row_kernels.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>

#include "common/program/simd_levels.hpp"
#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "heat_notexture/cpu/row_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles this file for each SIMD level
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cudabook::heat {
namespace {
namespace HWY_NAMESPACE {

#include "common/program/simd_floats.inl"

constexpr hn::RebindToUnsigned<decltype(floats)> bits{};
constexpr hn::RebindToSigned<decltype(floats)> ints{};
using Bits = hn::Vec<decltype(bits)>;
using Ints = hn::Vec<decltype(ints)>;
constexpr std::ptrdiff_t registers = lanes == 1 ? 16 : lanes == 4 ? 4 : 8;

#include "heat_notexture/cpu/rows_in_blocks.inl"
constexpr RowKernels kernels = kernels_of(simd_name(HWY_TARGET));

#ifdef __wasm_relaxed_simd__
namespace relaxed {
inline Floats fma(Floats a, Floats b, Floats c) {
    return Floats{wasm_f32x4_relaxed_madd(a.raw, b.raw, c.raw)};
}
#include "heat_notexture/cpu/rows_in_blocks.inl"
constexpr RowKernels kernels = kernels_of("relaxed");

/// Returns whether this machine's fma() rounds once.
bool is_fused() {
    volatile float one_and_more = 1 + 0x1p-23F;  // volatile: the compiler must not compute the result
    const Floats a = hn::Set(floats, one_and_more);
    return hn::GetLane(fma(a, a, hn::Set(floats, -1 - 0x1p-22F))) == 0x1p-46F;
}
}  // namespace relaxed
#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace cudabook::heat
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudabook::heat {

std::span<const RowKernels> row_kernels() {
    static const auto all = [] {
        auto levels = loops_of_this_processor(HWY_CHOOSE_AVX3(kernels), HWY_CHOOSE_AVX2(kernels),
                                              HWY_STATIC_DISPATCH(kernels));
#ifdef __wasm_relaxed_simd__
        if (HWY_STATIC_DISPATCH(relaxed::is_fused)())
            levels.insert(levels.begin(), HWY_STATIC_DISPATCH(relaxed::kernels));
#endif
        return levels;
    }();
    return all;
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
#endif
