// common/numbers/rand_stream.hpp: compared with the C library's rand() and the book's sums; long jumps.
#include "common/numbers/rand_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace cudabook {
namespace {

std::vector<std::uint32_t> outputs(RandStream stream, std::size_t count) {
    std::vector<std::uint32_t> all(count);
    for (auto& output : all) output = stream();
    return all;
}

#ifdef __GLIBC__

/// The outputs of the C library's generator after `skipped` calls.
std::vector<std::uint32_t> library(std::uint64_t skipped, std::size_t count) {
    std::srand(1);
    for (std::uint64_t i = 0; i < skipped; ++i) static_cast<void>(std::rand());
    std::vector<std::uint32_t> all(count);
    for (auto& output : all) output = static_cast<std::uint32_t>(std::rand());
    return all;
}

TEST(RandStream, IsTheLibrarysRand) { EXPECT_EQ(outputs(RandStream(), 200000), library(0, 200000)); }

class RandStreamAt : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Position, RandStreamAt,
                         testing::Values(0, 1, 2, 3, 28, 30, 31, 32, 61, 62, 310, 1000, 65535, 65536,
                                         1000000),
                         testing::PrintToStringParamName());

TEST_P(RandStreamAt, BeginsThere) {
    EXPECT_EQ(outputs(RandStream(GetParam()), 1000), library(GetParam(), 1000));
}

TEST_P(RandStreamAt, IsJumpedTo) {
    RandStream stream;
    stream.jump(GetParam());
    EXPECT_EQ(outputs(stream, 1000), library(GetParam(), 1000));
}

TEST_P(RandStreamAt, IsJumpedToFromWithinABlock) {
    // 7 of the current 31 words are already used.
    RandStream stream;
    for (int i = 0; i < 7; ++i) stream();
    stream.jump(GetParam());
    EXPECT_EQ(outputs(stream, 1000), library(7 + GetParam(), 1000));
}

#endif

TEST(RandStream, WellKnownFirstOutputs) {
    // The outputs of rand() without srand() on Linux.
    EXPECT_EQ(outputs(RandStream(), 5),
              (std::vector<std::uint32_t>{1804289383, 846930886, 1681692777, 1714636915, 1957747793}));
}

TEST(RandStream, AgreesWithTheLibraryFarAhead) {
    // The outputs of the GNU C library's rand() on Debian 12 after 2^31 and 2^35 calls, which take minutes.
    EXPECT_EQ(outputs(RandStream(std::uint64_t{1} << 31U), 5),
              (std::vector<std::uint32_t>{850182889, 2103788022, 905904603, 1692932299, 1981079694}));
    EXPECT_EQ(outputs(RandStream(std::uint64_t{1} << 35U), 5),
              (std::vector<std::uint32_t>{1333665468, 1920980514, 1623683188, 1171178376, 1377587835}));
}

TEST(RandStream, SumsUpToTheBooksChecksums) {
    // The book's program sums words 2^27 to 3·2^26 between 512 MB (0x7b7c8cd3) and 768 MB (0x559a1431).
    RandStream stream(std::uint64_t{1} << 27U);
    std::uint32_t sum = 0x7b7c8cd3U;
    for (std::uint32_t i = 0; i < std::uint32_t{1} << 26U; ++i) sum += stream();
    EXPECT_EQ(sum, 0x559a1431U);
}

/// Another implementation of the stream, for positions too far to step to: the 31 words are a vector, a
/// step is a matrix, and the matrix's powers are calculated by squaring.
class ByMatrix {
  public:
    static std::vector<std::uint32_t> outputs(std::uint64_t position, std::size_t count) {
        std::array<std::uint32_t, 344> r{};
        r[0] = 1;
        for (std::size_t i = 1; i < 31; ++i)
            r[i] = static_cast<std::uint32_t>(std::uint64_t{16807} * r[i - 1] % 2147483647U);
        for (std::size_t i = 31; i < 34; ++i) r[i] = r[i - 31];
        for (std::size_t i = 34; i < r.size(); ++i) r[i] = r[i - 3] + r[i - 31];

        Vector words{};  // the oldest first
        for (std::size_t i = 0; i < order; ++i) words[i] = r[r.size() - order + i];
        Matrix step{};
        for (std::size_t i = 0; i + 1 < order; ++i) step[i][i + 1] = 1;
        step[order - 1][0] = step[order - 1][order - 3] = 1;
        for (; position != 0; position >>= 1U) {
            if ((position & 1U) != 0) words = times(step, words);
            step = times(step, step);
        }
        std::vector<std::uint32_t> all(words.begin(), words.end());
        while (all.size() < order + count) all.push_back(all[all.size() - order] + all[all.size() - 3]);
        all.erase(all.begin(), all.begin() + order);
        for (auto& word : all) word >>= 1U;
        return all;
    }

  private:
    static constexpr std::size_t order = 31;
    using Vector = std::array<std::uint32_t, order>;
    using Matrix = std::array<Vector, order>;

    static Vector times(const Matrix& a, const Vector& v) {
        Vector product{};
        for (std::size_t i = 0; i < order; ++i)
            for (std::size_t k = 0; k < order; ++k) product[i] += a[i][k] * v[k];
        return product;
    }
    static Matrix times(const Matrix& a, const Matrix& b) {
        Matrix product{};
        for (std::size_t i = 0; i < order; ++i)
            for (std::size_t k = 0; k < order; ++k)
                for (std::size_t j = 0; j < order; ++j) product[i][j] += a[i][k] * b[k][j];
        return product;
    }
};

class RandStreamFar : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Position, RandStreamFar,
                         testing::Values(0, 5, 31, 1000003, std::uint64_t{1} << 31U,
                                         (std::uint64_t{1} << 32U) - 1, std::uint64_t{1} << 35U,
                                         (std::uint64_t{1} << 63U) + 12345),
                         testing::PrintToStringParamName());

TEST_P(RandStreamFar, BeginsThere) {
    EXPECT_EQ(outputs(RandStream(GetParam()), 100), ByMatrix::outputs(GetParam(), 100));
}

TEST_P(RandStreamFar, TwoJumpsAreOne) {
    for (const std::uint64_t first : {std::uint64_t{0}, GetParam() / 3, GetParam() / 2, GetParam()}) {
        RandStream stream;
        stream.jump(first);
        stream.jump(GetParam() - first);
        EXPECT_EQ(outputs(stream, 100), outputs(RandStream(GetParam()), 100)) << first;
    }
}

TEST_P(RandStreamFar, JumpBetweenOutputs) {
    RandStream stream;
    const std::uint64_t half = GetParam() / 2;
    stream.jump(half);
    for (int i = 0; i < 40; ++i) stream();
    stream.jump(half);
    for (int i = 0; i < 40; ++i) stream();
    EXPECT_EQ(outputs(stream, 100), outputs(RandStream(2 * half + 80), 100));
}

}  // namespace
}  // namespace cudabook
