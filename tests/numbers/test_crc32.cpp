// common/numbers/crc32.hpp: zlib's CRC-32, and the checksum of numbers, which treats all NaNs alike.
#include "common/numbers/crc32.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace cudabook {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::vector<float> numbers(std::size_t count) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(i) * 0.37F - 5;
    return all;
}

TEST(Crc32, KnownTexts) {
    EXPECT_EQ(crc32(bytes_of("")), 0U);
    EXPECT_EQ(crc32(bytes_of("a")), 0xe8b7be43U);
    EXPECT_EQ(crc32(bytes_of("123456789")), 0xcbf43926U);  // the check value of the standard
    EXPECT_EQ(crc32(bytes_of("The quick brown fox jumps over the lazy dog")), 0x414fa339U);
}

TEST(Crc32, ContinuesWhereverItWasCut) {
    const auto whole = bytes_of("123456789");
    for (std::size_t cut = 0; cut <= whole.size(); ++cut)
        EXPECT_EQ(crc32(whole.subspan(cut), crc32(whole.first(cut))), 0xcbf43926U) << cut;
}

TEST(Crc32, NothingChangesNothing) {
    EXPECT_EQ(crc32({}, 0xcbf43926U), 0xcbf43926U);
    EXPECT_EQ(crc32(bytes_of("1").first(0), 0xcbf43926U), 0xcbf43926U);
}

TEST(Checksum, IsOfTheLittleEndianBytes) {
    // 1.0 is 0x3f800000, -2.5 is 0xc0200000.
    const std::array numbers{1.0F, -2.5F};
    constexpr std::string_view bytes("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8);
    EXPECT_EQ(checksum(numbers), crc32(bytes_of(bytes)));
    EXPECT_EQ(checksum(numbers), 0x560302f4U);  // by Python's zlib.crc32
}

TEST(Checksum, OfNothingIsZero) { EXPECT_EQ(checksum({}), 0U); }

class ChecksumOfSize : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(AroundTheChunks, ChecksumOfSize,
                         testing::Values(1, 2, 4095, 4096, 4097, 8191, 8192, 8193, 65535, 65536, 65537,
                                         100000, 131072, 1048577),
                         testing::PrintToStringParamName());

TEST_P(ChecksumOfSize, IsTheCrcOfAllBytes) {
    const std::vector<float> all = numbers(GetParam());
    EXPECT_EQ(checksum(all), crc32(std::as_bytes(std::span(all))));
}

TEST_P(ChecksumOfSize, SeesTheLastNumber) {
    std::vector<float> all = numbers(GetParam());
    const std::uint32_t before = checksum(all);
    all.back() += 1;
    EXPECT_NE(checksum(all), before);
}

TEST_P(ChecksumOfSize, TreatsAllNansAlike) {
    std::vector<float> all = numbers(GetParam());
    all.back() = std::bit_cast<float>(0x7fc00000U);
    all.front() = std::bit_cast<float>(0x7fc00000U);
    const std::uint32_t expected = crc32(std::as_bytes(std::span(all)));
    for (const std::uint32_t nan : {0x7fc00000U, 0xffc00000U, 0x7fc00001U, 0x7fffffffU, 0xffffffffU,
                                    0x7f800001U /* signalling */, 0xff800001U}) {
        all.back() = std::bit_cast<float>(nan);
        all.front() = std::bit_cast<float>(nan ^ 0x80000000U);
        EXPECT_EQ(checksum(all), expected) << std::hex << nan;
    }
}

TEST(Checksum, IsTheSameWithAnyNumberOfThreads) {
    const std::vector<float> all = numbers(300'000);
    const std::uint32_t expected = crc32(std::as_bytes(std::span(all)));
    const int before = omp_get_max_threads();
    for (const int threads : {1, 2, 3, 8}) {
        omp_set_num_threads(threads);
        EXPECT_EQ(checksum(all), expected) << threads << " threads";
    }
    omp_set_num_threads(before);
}

TEST(Checksum, DistinguishesZerosInfinitiesAndNan) {
    const auto of = [](float number) { return checksum(std::array{number}); };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    EXPECT_NE(of(0.0F), of(-0.0F));
    EXPECT_NE(of(infinity), of(-infinity));
    EXPECT_NE(of(infinity), of(std::numeric_limits<float>::quiet_NaN()));
    EXPECT_NE(of(std::numeric_limits<float>::denorm_min()), of(0.0F));
}

TEST(Hex, IsEightLowerCaseDigits) {
    EXPECT_EQ(hex(0), "00000000");
    EXPECT_EQ(hex(0xABC), "00000abc");
    EXPECT_EQ(hex(0xFFFFFFFF), "ffffffff");
    EXPECT_EQ(hex(0xCBF43926), "cbf43926");
}

}  // namespace
}  // namespace cudabook
