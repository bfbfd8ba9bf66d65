// The room tex1dfetch_big on the CPU: how an array is split into textures, and the sums read through them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "common/rand_stream.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {
namespace {

const OnProgress silent = [](double) {};

std::uint32_t serial_sum(std::size_t words) {
    RandStream stream;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < words; ++i) sum += stream();
    return sum;
}

TEST(Tex1dfetchBigSplit, TexturesStandSideBySide) {
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

TEST(Tex1dfetchBigCpu, ExpectedSumIsThatOfTheStream) {
    std::uint32_t sum = 0;
    std::size_t words = 0;
    RandStream stream;
    for (const std::size_t size : {1, 31, 4095, 4096, 4097, 100'000, 262'144, 786'432}) {
        for (; words < size; ++words) sum += stream();
        EXPECT_EQ(expected_sum(size, silent), sum) << size;
    }
}

TEST(Tex1dfetchBigCpu, SumsOfTheBook) {
    EXPECT_EQ(expected_sum(512 * words_per_mb, silent), 0x7b7c8cd3U);
    EXPECT_EQ(expected_sum(768 * words_per_mb, silent), 0x559a1431U);
    EXPECT_EQ(expected_sum(1280 * words_per_mb, silent), 0x66a4f9d9U);
}

TEST(Tex1dfetchBigCpu, EveryKernelGivesTheSumWhateverTheSplit) {
    // 1 MB, 3 MB, and sizes that end within a block of the stream and within a texture.
    for (const std::size_t words : {words_per_mb, 3 * words_per_mb, std::size_t{4}, std::size_t{4096 + 12},
                                    std::size_t{100'004}, std::size_t{1'000'052}}) {
        const std::uint32_t expected = serial_sum(words);
        const auto data = cpu_data(words);
        for (const Kernel& kernel : cpu_kernels())
            for (const int components : {1, 2, 4})
                for (const int bits : {4, 5, 7, 12, 20, data->index_bits(components)}) {
                    const Split split{components, bits, words / static_cast<std::size_t>(components)};
                    EXPECT_EQ(data->read(kernel, split, silent).sum, expected)
                        << kernel.name << ", " << words << " words, " << components << " components, " << bits
                        << " bits";
                }
    }
}

TEST(Tex1dfetchBigCpu, PeerIsTheLibrarysRand) {
    const auto data = cpu_data(100'000);
    if (data->peer().empty()) GTEST_SKIP() << "the C library has another rand()";
    EXPECT_EQ(data->read_by_peer().sum, serial_sum(100'000));
}

TEST(Tex1dfetchBigCpu, ProgressEndsAtOne) {
    double last = 0;
    bool ascends = true;
    expected_sum(64 * words_per_mb, [&](double share) {
        ascends = ascends && share >= last && share <= 1;
        last = share;
    });
    EXPECT_TRUE(ascends);
    EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace cudabook::tex1dfetch_big
