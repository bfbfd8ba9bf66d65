// The sample tex1dfetch_big on the CPU: how an array is split into textures, and the three ways to the sum.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "common/numbers/rand_stream.hpp"
#include "tests/support/published.hpp"
#include "tests/support/sanitized.hpp"
#include "tex1dfetch_big/cpu/streams.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {
namespace {

const OnProgress silent = [](double) {};

TEST(Tex1dfetchBigSplit, TexturesAreConsecutive) {
    for (int bits = 1; bits <= 8; ++bits)
        for (std::size_t texels = 1; texels <= 1100; ++texels) {  // every remainder of a texture's size
            const Split split{1, bits, texels};
            std::size_t covered = 0;
            for (std::size_t t = 0; t < split.textures(); ++t) {
                ASSERT_EQ(split.begin(t), covered) << texels << " texels, " << bits << " bits, texture " << t;
                ASSERT_GE(split.size(t), 1U) << texels << " texels, " << bits << " bits, texture " << t;
                ASSERT_LE(split.size(t), std::size_t{1} << bits);
                covered += split.size(t);
            }
            ASSERT_EQ(covered, texels) << bits << " bits";
        }
}

TEST(Tex1dfetchBigSplit, SizesOfTheBook) {
    const auto textures = [](std::size_t mb, int components) {
        const auto texels = mb * words_per_mb / static_cast<std::size_t>(components);
        return Split{components, 27, texels}.textures();
    };
    EXPECT_EQ(textures(512, 1), 1U);
    EXPECT_EQ(textures(768, 1), 2U);
    EXPECT_EQ(textures(768, 2), 1U);
    EXPECT_EQ(textures(1280, 2), 2U);
    EXPECT_EQ(textures(1280, 4), 1U);
    EXPECT_EQ(textures(8192, 4), 4U);
    EXPECT_EQ(textures(8193, 4), 5U);
}

TEST(Tex1dfetchBigSplit, BookHasOneTextureForOneOrTwoComponentsAndFourForFour) {
    EXPECT_TRUE(as_in_book({1, 4, 16}));
    EXPECT_FALSE(as_in_book({1, 4, 17}));
    EXPECT_TRUE(as_in_book({2, 4, 16}));
    EXPECT_FALSE(as_in_book({2, 4, 17}));
    EXPECT_TRUE(as_in_book({4, 4, 64}));
    EXPECT_FALSE(as_in_book({4, 4, 65}));
}

/// Compares each way with the stream, word by word, at sizes that end within a block of one of the ways or at
/// the end of a block.
TEST(Tex1dfetchBigCpu, SumsAreThoseOfTheStream) {
    std::uint32_t sum = 0;
    std::size_t words = 0;
    RandStream stream;
    for (const std::size_t size : {1, 2, 3, 31, 310, 2761, 2762, 2763, 3072, 4095, 4096, 4097, 5834, 100'000,
                                   262'144, 786'432, 4'194'304, 4'194'305}) {
        for (; words < size; ++words) sum += stream();
        EXPECT_EQ(expected_sum(size, silent), sum) << size;
        EXPECT_EQ(read_serially(size, silent).sum, sum) << size;
        EXPECT_EQ(read_stream(size, silent).sum, sum) << size;
    }
}

/// The reference works on pieces of the stream, one for each thread at a time.
TEST(Tex1dfetchBigCpu, ReferenceIsTheStreamAtEverySimdLevelAndNumberOfThreads) {
    constexpr std::size_t piece = Streams::count * Streams::run;
    std::vector<std::size_t> sizes{piece - 1, piece, 5 * piece + 40};
    if (!test::sanitized) sizes.insert(sizes.end(), {6 * piece, 9 * piece + 31, 67 * piece - 1});
    const int before = omp_get_max_threads();
    std::uint32_t sum = 0;
    std::size_t words = 0;
    RandStream stream;
    for (const std::size_t size : sizes) {
        for (; words < size; ++words) sum += stream();
        for (std::size_t level = 0; level < stream_loops().size(); ++level)
            for (const int threads : {1, 2, 3, 16}) {
                omp_set_num_threads(threads);
                EXPECT_EQ(expected_sum(size, silent, level), sum)
                    << size << " words, " << stream_loops()[level].level << ", " << threads << " threads";
            }
    }
    omp_set_num_threads(before);
}

TEST(Tex1dfetchBigCpu, SumsOfTheBook) {
    for (const std::size_t mb : {512, 768, 1280, 8192}) {
        const std::string published = test::published_checksum("tex1dfetch_big", std::to_string(mb));
        const std::uint32_t sum = static_cast<std::uint32_t>(std::stoul(published, nullptr, 16));
        if (test::sanitized && mb > 512) continue;  // they take half a minute
        EXPECT_EQ(expected_sum(mb * words_per_mb, silent), sum) << mb;
        EXPECT_EQ(read_stream(mb * words_per_mb, silent).sum, sum) << mb;
        if (mb <= 1280) {  // a single core takes long for 8192 MB
            EXPECT_EQ(read_serially(mb * words_per_mb, silent).sum, sum) << mb;
        }
    }
}

TEST(Tex1dfetchBigCpu, ProgressEndsAtOne) {
    const auto expect_progress = [](const auto& work) {
        double last = 0;
        int calls = 0;
        bool ascends = true;
        work([&](double share) {
            ascends = ascends && share >= last && share <= 1;
            last = share;
            ++calls;
        });
        EXPECT_TRUE(ascends);
        EXPECT_EQ(last, 1);
        EXPECT_GT(calls, 1);
    };
    constexpr std::size_t words = 320 * words_per_mb;
    expect_progress([](const OnProgress& p) { expected_sum(words, p); });
    expect_progress([](const OnProgress& p) { read_serially(words, p); });
    omp_set_num_threads(1);
    expect_progress([](const OnProgress& p) { read_stream(words, p); });
    omp_set_num_threads(omp_get_num_procs());
}

/// Progress is reported where an exception may pass, not in a parallel region, where an exception would end
/// the process.
TEST(Tex1dfetchBigCpu, WhatProgressThrowsPasses) {
    const OnProgress out_of_memory = [](double) { throw std::bad_alloc(); };
    EXPECT_THROW(read_stream(words_per_mb, out_of_memory), std::bad_alloc);
    EXPECT_THROW(read_serially(words_per_mb, out_of_memory), std::bad_alloc);
    for (const std::size_t mb : {1U, 64U})
        EXPECT_THROW(expected_sum(mb * words_per_mb, out_of_memory), std::bad_alloc) << mb;
}

}  // namespace
}  // namespace cudabook::tex1dfetch_big
