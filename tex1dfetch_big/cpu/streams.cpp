#include "tex1dfetch_big/cpu/streams.hpp"

#include <numeric>

#include "common/program/simd_levels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tex1dfetch_big/cpu/streams.cpp"
#include <hwy/foreach_target.h>  // compiles this file for each SIMD level
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cudabook::tex1dfetch_big {
namespace {
namespace HWY_NAMESPACE {

using Row = std::array<std::uint32_t, Streams::count>;

/// Replaces the oldest word of each stream by its next word, and adds the output to the sums.
inline void next_words(Row& oldest, const Row& three_ago, Row& sums) {
#pragma omp simd
    for (std::size_t s = 0; s < Streams::count; ++s) {
        oldest[s] += three_ago[s];
        sums[s] += oldest[s] >> 1U;
    }
}

std::uint32_t add_run(Streams& streams) {
    auto& r = streams.words;
    Row sums{};
    for (std::size_t done = 0; done < Streams::run; done += Streams::order) {
        for (std::size_t i = 0; i < 3; ++i) next_words(r[i], r[i + Streams::order - 3], sums);
        for (std::size_t i = 3; i < Streams::order; ++i) next_words(r[i], r[i - 3], sums);
    }
    return std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
}

Streams product(const Streams& matrix, const Streams& streams) {
    Streams product{};
    for (std::size_t i = 0; i < Streams::order; ++i)
        for (std::size_t k = 0; k < Streams::order; ++k)
#pragma omp simd
            for (std::size_t s = 0; s < Streams::count; ++s)
                product.words[i][s] += matrix.words[i][k] * streams.words[k][s];
    return product;
}

constexpr StreamLoops loops{simd_name(HWY_TARGET), add_run, product};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace cudabook::tex1dfetch_big
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudabook::tex1dfetch_big {

std::span<const StreamLoops> stream_loops() {
    static const auto all =
        loops_of_this_processor(HWY_CHOOSE_AVX3(loops), HWY_CHOOSE_AVX2(loops), HWY_STATIC_DISPATCH(loops));
    return all;
}

}  // namespace cudabook::tex1dfetch_big
#endif
