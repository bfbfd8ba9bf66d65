#include "tex1dfetch_big/cpu/streams.hpp"

#include <numeric>

#include "common/program/simd.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

using Row = std::array<std::uint32_t, Streams::count>;

/// Replaces the oldest word of each stream by its next word, and adds the output to the sums.
[[gnu::always_inline]] inline void next_words(Row& oldest, const Row& three_ago, Row& sums) {
#pragma omp simd
    for (std::size_t s = 0; s < Streams::count; ++s) {
        oldest[s] += three_ago[s];
        sums[s] += oldest[s] >> 1U;
    }
}

[[gnu::always_inline]] inline std::uint32_t sum_of_run(Streams& streams) {
    auto& r = streams.words;
    Row sums{};
    for (std::size_t done = 0; done < Streams::run; done += Streams::order) {
        for (std::size_t i = 0; i < 3; ++i) next_words(r[i], r[i + Streams::order - 3], sums);
        for (std::size_t i = 3; i < Streams::order; ++i) next_words(r[i], r[i - 3], sums);
    }
    return std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
}

[[gnu::always_inline]] inline Streams product_of(const Streams& matrix, const Streams& streams) {
    Streams product{};
    for (std::size_t i = 0; i < Streams::order; ++i)
        for (std::size_t k = 0; k < Streams::order; ++k)
#pragma omp simd
            for (std::size_t s = 0; s < Streams::count; ++s)
                product.words[i][s] += matrix.words[i][k] * streams.words[k][s];
    return product;
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_LOOPS(name, target)                                                        \
    namespace name {                                                                        \
    target std::uint32_t add_run(Streams& s) { return sum_of_run(s); }                      \
    target Streams product(const Streams& m, const Streams& s) { return product_of(m, s); } \
    constexpr StreamLoops loops{#name, add_run, product};                                   \
    }

CUDABOOK_LOOPS(portable, )
#ifdef __x86_64__
CUDABOOK_LOOPS(avx2, CUDABOOK_AVX2)
CUDABOOK_LOOPS(avx512, CUDABOOK_AVX512)
#endif
// NOLINTEND(bugprone-macro-parentheses)
#undef CUDABOOK_LOOPS

}  // namespace

std::span<const StreamLoops> stream_loops() {
    static constexpr StreamLoops all[] = {
#ifdef __x86_64__
        avx512::loops, avx2::loops,
#endif
        portable::loops};
    return std::span(all).last(static_cast<std::size_t>(simd_level()) + 1);
}

}  // namespace cudabook::tex1dfetch_big
