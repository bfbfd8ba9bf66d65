// texture_unit's pictures side by side.
#include "texture_unit/picture/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "texture_unit/picture/paint.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Texel red{255, 0, 0, 0};

/// The number of pure red texels in `sheet`. It shows whether a red picture is completely in `sheet`.
int red_texels(const Image& sheet) {
    return static_cast<int>(std::ranges::count(sheet.texels, Texel{255, 0, 0, 255}));
}

TEST(Picture, BytesAreUpsideDownAndLimited) {
    const Image image{1, 2, {{0.5F, 254.5F, 300, -3}, {1.49F, 0, 0, 255}}};
    EXPECT_EQ(rgba(image), (std::vector<unsigned char>{1, 0, 0, 255, 1, 255, 255, 0}));
}

TEST(Picture, WhatIsNotFiniteIsMagenta) {
    for (const float value : {nan, infinity, -infinity})
        for (std::size_t c = 0; c < 4; ++c) {
            Image image{1, 1, {{1, 2, 3, 4}}};
            image.at(0, 0)[c] = value;
            EXPECT_EQ(rgba(image), (std::vector<unsigned char>{255, 0, 255, 255}));
        }
}

TEST(Picture, TheDifferenceFillsTheRange) {
    float factor = -1;
    const Image a{2, 1, {{10, 20, 30, 255}, {1, 1, 1, 255}}};
    Image b = a;
    EXPECT_EQ(difference(a, b, factor).texels, (std::vector<Texel>{{0, 0, 0, 255}, {0, 0, 0, 255}}));
    EXPECT_EQ(factor, 0);
    EXPECT_EQ(difference_title(factor), "no difference");

    b.at(0, 0) = {7, 20, 31, 255};
    EXPECT_EQ(difference(a, b, factor).at(0, 0), (Texel{192, 0, 64, 255}));
    EXPECT_EQ(factor, 64);
    EXPECT_EQ(difference_title(factor), "difference x 64");

    b.at(0, 0) = {10 - 255, 20, 30, 255};
    EXPECT_EQ(difference(a, b, factor).at(0, 0), (Texel{255, 0, 0, 255}));
    EXPECT_EQ(difference_title(factor), "difference x 1");

    b.at(0, 0) = {1010, 20, 30, 255};
    EXPECT_EQ(difference(a, b, factor).at(0, 0), (Texel{250, 0, 0, 255}));
    EXPECT_EQ(difference_title(factor), "difference / 4");

    b = a;
    b.at(1, 0)[3] = 254;
    EXPECT_EQ(difference(a, b, factor).at(1, 0), (Texel{128, 128, 128, 255})) << "alpha alone";

    b = a;
    b.at(1, 0)[0] = 1 + 0x1p-23F;
    EXPECT_EQ(difference(a, b, factor).at(1, 0)[0], 128);
    EXPECT_EQ(factor, 0x1p30F);
    EXPECT_EQ(difference_title(factor), "difference x 2^30");
}

TEST(Picture, DifferencesOfWhatIsNotFinite) {
    float factor = -1;
    const auto apart = [&](float x, float y) {
        return rgba(difference({1, 1, {{x, 0, 0, 255}}}, {1, 1, {{y, 0, 0, 255}}}, factor));
    };
    const std::vector<unsigned char> black{0, 0, 0, 255};
    const std::vector<unsigned char> magenta{255, 0, 255, 255};
    EXPECT_EQ(apart(nan, nan), black);
    EXPECT_EQ(apart(infinity, infinity), black);
    EXPECT_EQ(factor, 0);
    EXPECT_EQ(apart(nan, 1), magenta);
    EXPECT_NE(difference_title(factor), "no difference");
    EXPECT_EQ(apart(infinity, 1), magenta);
    EXPECT_EQ(apart(infinity, -infinity), magenta);
}

TEST(Picture, PanelsStandWholeBesideEachOther) {
    const std::vector<Panel> panels{{"unit", blank(20, 10, red)}, {"exact arithmetic", blank(30, 12, red)}};
    const Image picture = side_by_side("a caption that is longer than both panels together", panels);
    EXPECT_EQ(red_texels(picture), 20 * 10 + 30 * 12) << "opaque, and nothing drawn over them";
    const int widest_word = 10 * 6 - 1;  // arithmetic
    EXPECT_EQ(picture.width, 12 + 23 + 12 + widest_word + 12);
    EXPECT_EQ(picture.height, 12 + 4 * 10 + 6 + 2 * 10 + 12 + 12) << "a caption of 4 lines, a title of 2";
    for (const Texel& texel : picture.texels) ASSERT_EQ(texel[3], 255);
    EXPECT_EQ(side_by_side("", panels).height, 12 + 2 * 10 + 12 + 12);
}

TEST(Picture, LargePanelsHaveLargeText) {
    const Image small = side_by_side("", {{"a", blank(100, 100, red)}});
    const Image large = side_by_side("", {{"a", blank(256, 256, red)}});
    EXPECT_EQ(small.height, 12 + 10 + 100 + 12);
    EXPECT_EQ(large.height, 2 * (12 + 10 + 12) + 256);
}

TEST(Picture, AContactSheetHasAllPanels) {
    std::vector<Panel> panels;
    EXPECT_EQ(contact_sheet(panels).texels.size(), 1U);
    for (int count = 1; count <= 12; ++count) {
        panels.push_back({"lesson " + std::to_string(count), blank(40 + count, 30, red)});
        const Image sheet = contact_sheet(panels);
        EXPECT_EQ(red_texels(sheet), 30 * count * (81 + count) / 2) << count << " panels";
        if (count > 4) {
            EXPECT_GE(sheet.width * 3, sheet.height * 4);
            EXPECT_LT(sheet.width, 3 * sheet.height);
        }
    }
}

TEST(Picture, IsTheSameEverywhere) {
    const Image card = test_card(64);
    float factor = 0;
    const Image apart = difference(card, mip_levels(test_card(128))[1], factor);
    const Image picture =
        side_by_side("test card", {{"64 x 64", card}, {difference_title(factor) + " to 128 x 128", apart}});
    const std::vector<unsigned char> bytes = rgba(picture);
    EXPECT_EQ(hex(crc32(std::as_bytes(std::span(bytes)))), "8f4920d2");
}

}  // namespace
}  // namespace cudabook::texture_unit
