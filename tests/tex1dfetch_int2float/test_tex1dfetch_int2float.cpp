// The sample tex1dfetch_int2float on the CPU: the formula against values worked out by hand and in another
// way.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {
namespace {

float normalised(Element element, std::uint32_t bits) {
    return std::bit_cast<float>(formula({element, true}, bits));
}
float half(std::uint32_t bits) { return std::bit_cast<float>(formula({Element::half, false}, bits)); }

TEST(Tex1dfetchFormula, NormalisedByHand) {
    EXPECT_EQ(normalised(Element::unsigned_char, 0), 0.0F);
    EXPECT_EQ(normalised(Element::unsigned_char, 51), 0.2F);
    EXPECT_EQ(normalised(Element::unsigned_char, 255), 1.0F);
    EXPECT_EQ(normalised(Element::signed_char, 127), 1.0F);
    EXPECT_EQ(normalised(Element::signed_char, 0x81), -1.0F) << "-127";
    EXPECT_EQ(normalised(Element::signed_char, 0x80), -1.0F) << "-128";
    EXPECT_EQ(normalised(Element::unsigned_short, 13107), 0.2F);
    EXPECT_EQ(normalised(Element::unsigned_short, 65535), 1.0F);
    EXPECT_EQ(normalised(Element::signed_short, 32767), 1.0F);
    EXPECT_EQ(normalised(Element::signed_short, 0x8001), -1.0F) << "-32767";
    EXPECT_EQ(normalised(Element::signed_short, 0x8000), -1.0F) << "-32768";
}

TEST(Tex1dfetchFormula, NormalisedIsTheNearestFloatToTheQuotient) {
    for (const Format& format : formats()) {
        if (!format.normalised) continue;
        const bool is_signed =
            format.element == Element::signed_char || format.element == Element::signed_short;
        const auto count = static_cast<int>(format.values());
        const double most = is_signed ? count / 2 - 1 : count - 1;
        for (int bits = 0; bits < count; ++bits) {
            const int value = is_signed && bits >= count / 2 ? bits - count : bits;
            ASSERT_EQ(normalised(format.element, static_cast<std::uint32_t>(bits)),
                      static_cast<float>(std::max(value / most, -1.0)))
                << format.name() << ' ' << value;
        }
    }
}

TEST(Tex1dfetchFormula, IntegersKeepTheirSign) {
    EXPECT_EQ(formula({Element::signed_char, false}, 0x80), 0xffffff80U);
    EXPECT_EQ(formula({Element::unsigned_char, false}, 0x80), 0x80U);
    EXPECT_EQ(formula({Element::signed_short, false}, 0xffff), 0xffffffffU);
    EXPECT_EQ(formula({Element::unsigned_short, false}, 0xffff), 0xffffU);
}

TEST(Tex1dfetchFormula, HalvesByHand) {
    EXPECT_EQ(half(0x3c00), 1.0F);
    EXPECT_EQ(half(0xc000), -2.0F);
    EXPECT_EQ(half(0x7bff), 65504.0F);
    EXPECT_EQ(half(0x0001), 0x1p-24F);
    EXPECT_EQ(half(0x0400), 0x1p-14F);
    EXPECT_EQ(half(0x7c00), std::numeric_limits<float>::infinity());
    EXPECT_EQ(formula({Element::half, false}, 0x8000), 0x80000000U) << "-0";
    EXPECT_EQ(formula({Element::half, false}, 0x7c01), 0x7f802000U) << "a NaN keeps its bits";
    EXPECT_EQ(formula({Element::half, false}, 0xffff), 0xffffe000U);
}

TEST(Tex1dfetchFormula, HalvesAreFractionTimesPowerOfTwo) {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
        const auto exponent = static_cast<int>(bits >> 10U);
        const auto fraction = static_cast<float>(bits & 0x3ffU);
        const float expected =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
        ASSERT_EQ(half(bits), expected) << bits;
        ASSERT_EQ(half(bits | 0x8000U), -expected) << bits;
    }
}

TEST(Tex1dfetchFormula, IntegersGiveTheSame) {
    for (const Format& format : formats())
        for (const int components : widths) {
            const auto values = values_by_integers(format, components);
            ASSERT_EQ(values.size(), format.values() * static_cast<std::size_t>(components));
            EXPECT_TRUE(values == values_by_formula(format, components)) << format.name() << format.mode();
        }
}

TEST(Tex1dfetchFormats, EachElementInEachReadMode) { EXPECT_EQ(formats().size(), 4 * 2 + 1U); }

TEST(Tex1dfetchFormats, EachComponentHasEachValueOnce) {
    for (const Format& format : formats())
        for (int c = 0; c < 4; ++c) {
            std::vector<bool> seen(format.values());
            for (std::size_t i = 0; i < format.values(); ++i) seen[stored(format, i, c)] = true;
            for (std::size_t value = 0; value < seen.size(); ++value)
                ASSERT_TRUE(seen[value]) << format.name() << ", component " << c << ", value " << value;
        }
}

TEST(Tex1dfetchFormats, CpuReadsTheFormula) {
    ASSERT_EQ(cpu_kernels().size(), 1U);
    const Readout readout = cpu_kernels()[0].read({}, {Element::unsigned_char, true}, 2);
    ASSERT_EQ(readout.values.size(), 512U);
    EXPECT_EQ(std::bit_cast<float>(readout.values[2]), 1.0F / 255) << "texel 1, component 0";
    EXPECT_EQ(std::bit_cast<float>(readout.values[3]), 38.0F / 255) << "texel 1, component 1";
    EXPECT_TRUE(readout.past_the_end.empty());
}

}  // namespace
}  // namespace cudabook::tex1dfetch_int2float
