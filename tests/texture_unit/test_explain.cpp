// texture_unit/demo/: the texels that the window lists for a fetch, their weights, their sum, and the result
// of exact arithmetic.
#include "texture_unit/demo/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/texture_unit/pattern.hpp"
#include "texture_unit/demo/window_text.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit {
namespace {

using Words = std::vector<std::string>;

/// Four texels in a row, and their levels: 2 texels, 1 texel.
std::vector<Image> four_texels() {
    Image image;
    image.width = 4;
    image.height = 1;
    image.texels = {Texel{10, 0, 0, 0}, Texel{20, 0, 0, 0}, Texel{40, 100, 0, 0}, Texel{80, 0, 200, 0}};
    return mip_levels(image);
}

Explanation explained(const Look& look, float x, float y, const std::vector<Image>& levels = four_texels()) {
    LookModel model(levels);
    model.read_as(look);
    return explain(model, look, x, y);
}

Look in_texels() {
    Look look;
    look.normalized = false;
    return look;
}

TEST(ExplainFetch, BetweenTwoTexels) {
    const Explanation e = explained(in_texels(), 1.75F + 0.001F, 0.5F);
    ASSERT_EQ(e.reads.size(), 2U);
    EXPECT_EQ(e.reads[0].x, 1);
    EXPECT_EQ(e.reads[0].weight, 192);
    EXPECT_EQ(e.reads[1].x, 2);
    EXPECT_EQ(e.reads[1].weight, 64);
    EXPECT_EQ(e.unit[0], 25);
    EXPECT_NEAR(e.exact[0], 25.02, 1e-5);
    EXPECT_NEAR(e.exact[1], 25.1, 1e-5);
    EXPECT_EQ(fetch_text(e, in_texels()), "tex2D(texture, 1.7510, 0.5000)");
    EXPECT_EQ(position_lines(e, in_texels()),
              (Words{"x in level 0: 1.7510 - 1/2 = 1 + 64/256  (exactly 64.26)",
                     "y in level 0: 0.5000 - 1/2 = 0 + 0/256  (exactly 0.00)"}));
    EXPECT_EQ(table_of(e), (std::vector<Words>{{"texel", "weight", "red", "green", "blue"},
                                               {"(1, 0)  level 0", "192/256", "20", "0", "0"},
                                               {"(2, 0)  level 0", "64/256", "40", "100", "0"},
                                               {"the unit", "256/256", "25.0000", "25.0000", "0.0000"},
                                               {"exact", "", "25.0200", "25.1000", "0.0000"},
                                               {"difference", "", "-0.0200", "-0.1000", "+0.0000"}}));
}

TEST(ExplainFetch, PointFilter) {
    Look look = in_texels();
    look.filter = Filter::point;
    const Explanation e = explained(look, 1.99F, 0.5F);
    ASSERT_EQ(e.reads.size(), 1U);
    EXPECT_EQ(e.reads[0].x, 1);
    EXPECT_EQ(e.reads[0].weight, 256);
    EXPECT_EQ(e.unit[0], 20);
    EXPECT_EQ(e.exact[0], 20);
    EXPECT_EQ(position_lines(e, look),
              (Words{"x in level 0: 1.9900 lies in texel 1", "y in level 0: 0.5000 lies in texel 0"}));
}

TEST(ExplainFetch, TwoLevels) {
    Look look;
    look.level = 0.75F;
    const Explanation e = explained(look, 0.5F, 0.5F);  // position 2 of level 0, 1 of level 1
    ASSERT_EQ(e.reads.size(), 4U);
    EXPECT_EQ(e.reads[0].weight, 32);
    EXPECT_EQ(e.reads[1].weight, 32);
    EXPECT_EQ(e.reads[2].level, 1);
    EXPECT_EQ(e.reads[2].weight, 96);
    EXPECT_EQ(e.reads[3].weight, 96);
    EXPECT_EQ(e.unit[0], (32 * 20 + 32 * 40 + 96 * 15 + 96 * 60) / 256.0F);
    EXPECT_EQ(e.exact[0], static_cast<double>(e.unit[0]));
    EXPECT_EQ(fetch_text(e, look), "tex2DLod(texture, 0.50000, 0.50000, 0.75)");
    EXPECT_EQ(position_lines(e, look).size(), 4U);
    EXPECT_EQ(position_lines(e, look)[2], "x in level 1: 1.0000 - 1/2 = 0 + 128/256  (exactly 128.00)");
}

TEST(ExplainFetch, WhatIsReadOutOfRange) {
    Look look;
    look.filter = Filter::point;
    const auto read = [&](Address address, float x) {
        look.address[0] = address;
        const Explanation e = explained(look, x, 0.5F);
        EXPECT_EQ(e.reads.size(), 1U);
        return e.reads.at(0);
    };
    EXPECT_EQ(read(Address::clamp, 1.3F).x, 3);
    EXPECT_EQ(read(Address::wrap, 1.3F).x, 1);
    EXPECT_EQ(read(Address::mirror, 1.3F).x, 2);
    EXPECT_EQ(read(Address::mirror, 1.3F).place_x, 5);
    EXPECT_EQ(read(Address::border, 1.3F).x, -1);
    EXPECT_EQ(read(Address::border, -0.1F).place_x, -1);
    EXPECT_EQ(table_of(explained(look, 1.3F, 0.5F))[1], (Words{"border  level 0", "256/256", "0", "0", "0"}));
}

/// All settings of the keys, with coordinates on and beside all edges.
TEST(ExplainFetch, WeightsAddTo256AndTheSumIsTheUnits) {
    const auto levels = mip_levels(test::random_image(37, 23));
    LookModel model(levels);
    double most = 0;
    for (const Filter filter : {Filter::point, Filter::linear})
        for (const Filter between : {Filter::point, Filter::linear})
            for (const Address address : {Address::clamp, Address::border, Address::wrap, Address::mirror})
                for (const bool normalized : {false, true})
                    for (const float level : {0.0F, 0.25F, 1.5F, 5.0F}) {
                        Look look;
                        look.filter = filter;
                        look.level_filter = between;
                        look.address = {address, next(address, 1)};
                        look.normalized = normalized;
                        look.level = level;
                        model.read_as(look);
                        for (int i = 0; i < 200; ++i) {
                            const float x = (static_cast<float>(i) * 0.7310F - 60) / (normalized ? 37 : 1);
                            const float y = (static_cast<float>(i) * -0.3517F + 40) / (normalized ? 23 : 1);
                            const Explanation e = explain(model, look, x, y);
                            int sum = 0;
                            Texel weighted{};
                            for (const Read& read : e.reads) {
                                EXPECT_GT(read.weight, 0);
                                sum += read.weight;
                                for (std::size_t c = 0; c < 4; ++c)
                                    weighted[c] += static_cast<float>(read.weight) * read.value[c] / 256;
                            }
                            ASSERT_EQ(sum, 256);
                            ASSERT_EQ(weighted, e.unit);
                            for (std::size_t c = 0; c < 4; ++c)
                                most = std::max(most, std::fabs(e.exact[c] - static_cast<double>(e.unit[c])));
                        }
                    }
    EXPECT_GT(most, 0.05);
    EXPECT_LT(most, 4.0 * 255 / 512) << "each weight is rounded a few times to 1/256";
}

TEST(WindowTextOfTexture, SaysHowItIsRead) {
    Look look = first_look({64, 32}, {1280, 800});
    const auto panel = panel_of("texture_unit", "the CPU", look, 7, {}, "saved it");
    EXPECT_EQ(panel.title, "texture_unit on the CPU");
    EXPECT_EQ(panel.lines,
              (Words{"linear filter, normalised coordinates", "x: wrap,  y: mirror",
                     "mipmap level 0.00 (0 to 6): level 0", "8.4 pixels a texel, turned by 0 degrees",
                     "point at a texel to see what is read; H: the keys"}));
    EXPECT_EQ(panel.note, "saved it");
    EXPECT_FALSE(panel.keys.empty());
    look.address = {Address::wrap, Address::border};
    look.level = 1.25F;
    EXPECT_EQ(panel_of("", "", look, 7, {}, "").lines[2],
              "mipmap level 1.25 (0 to 6): 192/256 of 1, 64/256 of 2");
    look.level_filter = Filter::point;
    EXPECT_EQ(panel_of("", "", look, 7, {}, "").lines[2], "mipmap level 1.25 (0 to 6): level 1, the nearest");
    look.normalized = false;
    look.filter = Filter::point;
    const auto other = panel_of("", "", look, 7, {}, "");
    EXPECT_EQ(other.lines[0], "point filter, coordinates in texels");
    EXPECT_EQ(other.lines[1], "x: wrap (acts as clamp),  y: border");
    EXPECT_EQ(other.lines[2], "level 1 alone, as an array without a mipmap");
    EXPECT_EQ(title_of("texture_unit", "the CPU", look), "texture_unit on the CPU: point, x wrap, y border");
}

TEST(WindowTextOfTexture, SaysWhatIsRead) {
    const Explanation e = explained(in_texels(), 1.75F, 0.5F);
    const auto panel = panel_of("texture_unit", "the CPU", in_texels(), 3, e, "");
    EXPECT_EQ(panel.lines.size(), 8U);
    EXPECT_EQ(panel.lines[5], fetch_text(e, in_texels()));
    EXPECT_EQ(panel.table, table_of(e));
}

}  // namespace
}  // namespace cudabook::texture_unit
