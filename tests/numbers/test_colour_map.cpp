// common/numbers/colour_map.hpp: compared with colours calculated by hand from the HSL formula:
//
//   l = t,  hue = (180 + int(360 t)) mod 360,  high = 2 l for l <= 1/2, else 1,  low = 2 l - high;
//   red, green, blue = int(255 v) for the hues hue + 120, hue, hue - 120 (wrapped to 0 to 360), where
//   v = low + (high - low) h/60          for h in   0 …  60
//       high                                       60 … 180
//       low + (high - low) (240 - h)/60           180 … 240
//       low                                       240 … 360
#include "common/numbers/colour_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <ostream>

namespace cudabook {

// Used by GoogleTest to print a colour.
static void PrintTo(const Rgba& colour, std::ostream* out) {
    *out << "(" << +colour.red << ", " << +colour.green << ", " << +colour.blue << ", " << +colour.alpha
         << ")";
}

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(ColourMap, ColdestIsBlack) {
    // high = low = 0.
    EXPECT_EQ(colour_of(0.0F), (Rgba{0, 0, 0, 255}));
    EXPECT_EQ(colour_of(-0.0F), (Rgba{0, 0, 0, 255}));
}

TEST(ColourMap, ATenth) {
    // hue 180 + 36 = 216; high 0.2, low 0. Red: 336, so low: 0. Green: 216, so 0.2 · 24/60 = 0.08: 20.4.
    // Blue: 96, so high: 51.
    EXPECT_EQ(colour_of(0.1F), (Rgba{0, 20, 51, 255}));
}

TEST(ColourMap, ThreeTwentieths) {
    // hue 180 + 54 = 234; high 0.3, low 0. Red: 354, so low: 0. Green: 234, so 0.3 · 6/60 = 0.03: 7.65. Blue:
    // 114, so high: 76.5.
    EXPECT_EQ(colour_of(0.15F), (Rgba{0, 7, 76, 255}));
}

TEST(ColourMap, ASixthHasAHueOf360) {
    // Just above 1/6: hue 180 + 60 = 240; high 1/3, low 0. Red: 360, so low: 0. Green: 240, so low: 0.
    // Blue: 120, so high: 85.
    EXPECT_EQ(colour_of(std::nextafterf(1.0F / 6, 1.0F)), (Rgba{0, 0, 85, 255}));
}

TEST(ColourMap, AQuarter) {
    // hue 180 + 90 = 270; high 0.5, low 0. Red: 390 - 360 = 30, so 0.5 · 30/60 = 0.25: 63.75. Green: 270, so
    // low: 0. Blue: 150, so high: 127.5.
    EXPECT_EQ(colour_of(0.25F), (Rgba{63, 0, 127, 255}));
}

TEST(ColourMap, AHalfIsRed) {
    // hue (180 + 180) mod 360 = 0; high 1, low 0. Red: 120, so high: 255. Green: 0, so low: 0. Blue:
    // -120 + 360 = 240, so low: 0.
    EXPECT_EQ(colour_of(0.5F), (Rgba{255, 0, 0, 255}));
}

TEST(ColourMap, FiveEighths) {
    // hue (180 + 225) mod 360 = 45; high 1, low 0.25. Red: 165, so high: 255. Green: 45, so 0.25 + 0.75 ·
    // 45/60 = 0.8125: 207.1875. Blue: -75 + 360 = 285, so low: 63.75.
    EXPECT_EQ(colour_of(0.625F), (Rgba{255, 207, 63, 255}));
}

TEST(ColourMap, ThreeQuarters) {
    // hue (180 + 270) mod 360 = 90; high 1, low 0.5. Red: 210, so 0.5 + 0.5 · 30/60 = 0.75: 191.25. Green:
    // 90, so high: 255. Blue: -30 + 360 = 330, so low: 127.5.
    EXPECT_EQ(colour_of(0.75F), (Rgba{191, 255, 127, 255}));
}

TEST(ColourMap, NineTenths) {
    // hue (180 + 324) mod 360 = 144; high 1, low 0.8. Red: 264, so low: 204, but 0.9 as a float is a little
    // less: 203. Green: 144, so high: 255. Blue: 24, so 0.8 + 0.2 · 24/60 = 0.88: 224.4.
    EXPECT_EQ(colour_of(0.9F), (Rgba{203, 255, 224, 255}));
}

TEST(ColourMap, HottestIsWhite) {
    // high = low = 1.
    EXPECT_EQ(colour_of(1.0F), (Rgba{255, 255, 255, 255}));
}

TEST(ColourMap, OutsideTakesTheNearerEnd) {
    for (const float cold : {-1.0F, -0.25F, -1e-30F, -infinity, std::numeric_limits<float>::lowest()})
        EXPECT_EQ(colour_of(cold), colour_of(0.0F)) << cold;
    for (const float hot : {1.0000001F, 1.25F, 2.0F, 1e9F, infinity, std::numeric_limits<float>::max()})
        EXPECT_EQ(colour_of(hot), colour_of(1.0F)) << hot;
}

TEST(ColourMap, NanIsBlack) {
    EXPECT_EQ(colour_of(nan), (Rgba{0, 0, 0, 255}));
    EXPECT_EQ(colour_of(-nan), (Rgba{0, 0, 0, 255}));
}

TEST(ColourMap, EveryColourHasTheLightnessAndTheSaturationOfItsTemperature) {
    // The largest channel of an HSL colour with saturation 1 is high, and the smallest is low.
    for (std::uint32_t bits = 0; bits <= std::bit_cast<std::uint32_t>(1.0F); bits += 1009) {
        const auto t = std::bit_cast<float>(bits);
        const double high = t <= 0.5F ? 2.0 * t : 1.0;
        const double low = t <= 0.5F ? 0.0 : 2.0 * t - 1;
        const Rgba colour = colour_of(t);
        const int most = std::max({colour.red, colour.green, colour.blue});
        const int least = std::min({colour.red, colour.green, colour.blue});
        // Rounding to float before the truncation may change a channel by one at a boundary.
        ASSERT_LT(std::abs(most + 0.5 - (255 * high)), 0.501) << t;
        ASSERT_LT(std::abs(least + 0.5 - (255 * low)), 0.501) << t;
        ASSERT_EQ(colour.alpha, 255) << t;
    }
}

TEST(ColourMap, PixelIsFourBytesInRgbaOrder) {
    static_assert(sizeof(Rgba) == 4);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(Rgba{1, 2, 3, 4}), 0x04030201U);
}

}  // namespace
}  // namespace cudabook
