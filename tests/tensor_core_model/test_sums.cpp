// common/tensor_core_model/: sums that were computed by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include "common/tensor_core_model/sums.hpp"

namespace cudabook::tensor_cores {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Returns c + a[0] b[0] + a[1] b[1] ... of eight products; the rest are zeros.
template <class Format = Tf32>
float sum_of(const Adder& adder, float c, std::vector<float> a, std::vector<float> b) {
    a.resize(8);
    b.resize(8);
    Factors<Format, 8> of_a;
    Factors<Format, 8> of_b;
    for (int i = 0; i < 8; ++i) {
        of_a.value[i][0] = a[static_cast<std::size_t>(i)];
        of_b.value[i][0] = b[static_cast<std::size_t>(i)];
    }
    of_a.prepare();
    of_b.prepare();
    float sums[] = {c};
    add_products<ToFloat>(adder, sums, of_a, of_b);
    return sums[0];
}

TEST(TensorCoreSums, TermsKeepBitsBelowAFloat) {
    // 1 and four times 2^-25: a float has 23 bits after the point, Hopper's terms have 25.
    const std::vector<float> small(4, 0x1p-25F);
    const std::vector<float> ones(4, 1);
    EXPECT_EQ(sum_of(hopper, 1, small, ones), 1 + 0x1p-23F);
    EXPECT_EQ(sum_of<Half>(ampere, 1, {0x1p-12F, 0x1p-12F, 0x1p-12F, 0x1p-12F},
                           {0x1p-13F, 0x1p-13F, 0x1p-13F, 0x1p-13F}),
              1);
    EXPECT_EQ(sum_of<Half>(ampere, 1, {0x1p-12F, 0x1p-12F}, {0x1p-12F, 0x1p-12F}), 1 + 0x1p-23F);
    EXPECT_EQ(sum_of<Half>(volta, 1, {0x1p-12F, 0x1p-12F}, {0x1p-12F, 0x1p-12F}), 1);
}

TEST(TensorCoreSums, BitsBelowAreCutOff) {
    const std::vector<float> ones(8, 1);
    EXPECT_EQ(sum_of(hopper, 1, std::vector<float>(8, 0x1p-26F), ones), 1);
    EXPECT_EQ(sum_of(hopper, -1, std::vector<float>(8, -0x1p-26F), ones), -1);
    EXPECT_EQ(sum_of(hopper, 1, {-0x1p-26F}, {1}), 1);             // a term is cut, not the sum
    EXPECT_EQ(sum_of(hopper, 1, {-0x1p-25F}, {1}), 1 - 0x1p-24F);  // then the sum is cut
}

TEST(TensorCoreSums, AProductIsAlignedByTheExponentsOfItsFactors) {
    // 1.5 * 1.5 = 2.25 has the exponent 0 here, not 1.
    EXPECT_EQ(sum_of(hopper, 0, {1.5F, -1.5F, 0x1p-25F}, {1.5F, 1.5F, 1}), 0x1p-25F);
    EXPECT_EQ(sum_of(hopper, 0, {1.5F, -1.5F, 0x1p-26F}, {1.5F, 1.5F, 1}), 0);
}

TEST(TensorCoreSums, AGroupIsAddedAtOnce) {
    // 2^24 hides a 0.5 unless it is cancelled in the same group.
    const std::vector<float> near{0x1p12F, 0.5F, -0x1p12F};
    const std::vector<float> far{0x1p12F, 0.5F, 0, 0, -0x1p12F};
    const std::vector<float> b{0x1p12F, 1, 0x1p12F, 0, 0x1p12F};
    EXPECT_EQ(sum_of<Half>(hopper, 0, far, b), 0.5F);
    EXPECT_EQ(sum_of<Tf32>(hopper, 0, far, b), 0.5F);
    EXPECT_EQ(sum_of<Half>(ampere, 0, far, {0x1p11F, 1, 0, 0, 0x1p11F}), 0.5F);
    EXPECT_EQ(sum_of<Tf32>(ampere, 0, near, {0x1p11F, 1, 0x1p11F}), 0.5F);
    EXPECT_EQ(sum_of<Tf32>(ampere, 0, far, {0x1p12F, 1, 0, 0, 0x1p12F}), 0);
    EXPECT_EQ(sum_of<Half>(volta, 0, near, {0x1p10F, 1, 0x1p10F}), 0.5F);
    EXPECT_EQ(sum_of<Half>(volta, 0, far, {0x1p12F, 1, 0, 0, 0x1p12F}), 0);
}

TEST(TensorCoreSums, ZerosDoNotAlign) {
    EXPECT_EQ(sum_of<Half>(hopper, 0x1p-30F, {0}, {65504}), 0x1p-30F);
    EXPECT_EQ(sum_of(hopper, 0, {0x1p-60F, 0}, {0x1p-60F, 0x1p100F}), 0x1p-120F);
}

TEST(TensorCoreSums, SumsOfZerosAreZeroOnAllGpus) {
    for (const int capability : {70, 75, 80, 86, 89, 90, 100, 120}) {
        EXPECT_EQ(sum_of<Half>(adder_of(capability), 0, {0}, {1}), 0) << capability;
        EXPECT_EQ(sum_of<Half>(adder_of(capability), 0, {0x1p-24F}, {0x1p-24F}), 0x1p-48F) << capability;
        EXPECT_EQ(sum_of<Half>(adder_of(capability), 0x1p-149F, {0}, {0}), 0x1p-149F) << capability;
    }
}

TEST(TensorCoreSums, ZeroIsPositive) {
    for (const float zero : {sum_of(hopper, -0.0F, {-0.0F}, {1}), sum_of(hopper, 1, {-1}, {1}),
                             sum_of(hopper, 0, {-0x1p-75F}, {0x1p-76F})})
        EXPECT_EQ(std::bit_cast<std::uint32_t>(zero), 0U);
}

TEST(TensorCoreSums, SubnormalNumbersCount) {
    EXPECT_EQ(sum_of(hopper, 0x1p-149F, {0}, {0}), 0x1p-149F);
    EXPECT_EQ(sum_of(hopper, 0, {0x1p-136F}, {0x1p10F}), 0x1p-126F);
    EXPECT_EQ(sum_of<Half>(hopper, 0, {0x1p-24F}, {0x1p-24F}), 0x1p-48F);
    // A subnormal half has the exponent -14, so 2^-24 * 1 is aligned as 2^-14 is.
    EXPECT_EQ(sum_of<Half>(hopper, 0x1p-40F, {0x1p-24F}, {1}), 0x1p-24F);
    EXPECT_EQ(sum_of<Half>(hopper, 0x1p-39F, {0x1p-24F}, {1}), 0x1p-24F + 0x1p-39F);
}

TEST(TensorCoreSums, LargeSums) {
    constexpr float largest = std::numeric_limits<float>::max();
    EXPECT_EQ(sum_of(hopper, largest, {0x1p100F}, {1}), largest);
    EXPECT_EQ(sum_of(hopper, 0, {0x1p64F}, {0x1p64F}), infinity);
    EXPECT_EQ(sum_of(hopper, 0, {-0x1p64F}, {0x1p64F}), -infinity);
    EXPECT_EQ(sum_of(hopper, 1, {0x1p90F, -0x1p90F}, {0x1p90F, 0x1p90F}), 0);  // products may be larger
}

TEST(TensorCoreSums, InfinitiesAndNans) {
    EXPECT_EQ(sum_of(hopper, infinity, {1}, {1}), infinity);
    EXPECT_EQ(sum_of(hopper, 1, {infinity}, {-2}), -infinity);
    for (const float result : {sum_of(hopper, infinity, {-infinity}, {1}), sum_of(hopper, 0, {infinity}, {0}),
                               sum_of(hopper, nan, {1}, {1}), sum_of(hopper, 0, {nan}, {1})})
        EXPECT_EQ(std::bit_cast<std::uint32_t>(result), 0x7fffffffU);
}

}  // namespace
}  // namespace cudabook::tensor_cores
