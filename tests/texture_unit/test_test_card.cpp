// texture_unit's pictures to fetch from.
#include "texture_unit/picture/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "common/texture_model/cube.hpp"
#include "texture_unit/picture/paint.hpp"

namespace cudabook::texture_unit {
namespace {

std::string checksum_of(const std::vector<Texel>& texels) {
    return hex(cudabook::checksum(std::span<const float>(texels.front().data(), 4 * texels.size())));
}

void expect_whole_numbers(const std::vector<Texel>& texels) {
    for (const Texel& texel : texels)
        for (const float component : texel)
            ASSERT_TRUE(component >= 0 && component <= 255 && component == std::floor(component))
                << component;
}

TEST(TestCard, IsTheSameEverywhere) {
    EXPECT_EQ(checksum_of(test_card(64).texels), "9046c3bc");
    EXPECT_EQ(checksum_of(test_card(256).texels), "98c5a162");
    EXPECT_EQ(checksum_of(sky(4, 64).texels), "249e39c9");
    EXPECT_EQ(checksum_of(glyphs(32)[10].texels), "2c700396");
    EXPECT_EQ(checksum_of(volume(16)), "90d3a372");
}

TEST(TestCard, HasWholeNumbersAtEverySize) {
    for (const int size : {1, 2, 3, 7, 16, 63, 64, 100, 128, 130, 512}) {
        const Image card = test_card(size);
        ASSERT_EQ(card.texels.size(), static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
        expect_whole_numbers(card.texels);
        for (const Texel& texel : card.texels) ASSERT_EQ(texel[3], 255);
        const Texel border{255, 255, 255, 255};
        for (int i = 0; i < size; ++i) {
            ASSERT_EQ(card.at(i, 0), border);
            ASSERT_EQ(card.at(size - 1, i), border);
        }
    }
    for (const int size : {1, 5, 40}) {
        for (int face = 0; face < 6; ++face) expect_whole_numbers(sky(face, size).texels);
        expect_whole_numbers(volume(size));
        for (const Image& layer : glyphs(size)) expect_whole_numbers(layer.texels);
    }
}

TEST(TestCard, HasStripesOfOneTexel) {
    for (const int size : {64, 256}) {
        const Image card = test_card(size);
        const int x = 8 * size / 64;
        const int y = 20 * size / 64;
        EXPECT_NE(card.at(x, y), card.at(x + 1, y));
        EXPECT_EQ(card.at(x, y), card.at(x + 2, y));
        EXPECT_EQ(card.at(x, y), card.at(x, y + 1));
        EXPECT_NE(card.at(size - x, y), card.at(size - x, y + 1));
        EXPECT_EQ(card.at(size - x, y), card.at(size - x + 1, y));
    }
}

TEST(TestCard, EveryDigitHasALayerOfItsOwn) {
    const std::vector<Image> layers = glyphs(16);
    ASSERT_EQ(layers.size(), 16U);
    for (std::size_t i = 0; i < layers.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(layers[i].at(0, 0), layers[j].at(0, 0));
            EXPECT_NE(checksum_of(layers[i].texels), checksum_of(layers[j].texels));
        }
}

TEST(TestCard, TheVolumeIsARing) {
    constexpr int size = 32;
    const std::vector<Texel> texels = volume(size);
    ASSERT_EQ(texels.size(), 32768U);
    const auto at = [&](int x, int y, int z) {
        return texels[static_cast<std::size_t>((z * size + y) * size + x)];
    };
    EXPECT_EQ(at(16, 16, 16), Texel{}) << "the hole";
    EXPECT_EQ(at(0, 0, 0), Texel{});
    EXPECT_EQ(at(26, 16, 16)[3], 255);
    EXPECT_GT(at(26, 16, 16)[0], at(5, 16, 16)[0]) << "red grows along x";
    EXPECT_GT(at(16, 26, 16)[1], at(16, 5, 16)[1]);
    EXPECT_GT(at(26, 16, 18)[2], at(26, 16, 13)[2]);
    EXPECT_EQ(volume(1).size(), 1U);
}

/// The mean difference of neighbouring texels, summed over red, green and blue.
struct MeanDistance {
    double sum = 0;
    int count = 0;

    void add(const Texel& a, const Texel& b) {
        for (std::size_t c = 0; c < 3; ++c) sum += std::fabs(a[c] - b[c]);
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / count; }
};

/// Across each edge of the cube, neighbouring texels differ no more than neighbours on one of the two faces.
TEST(TestCard, TheSkyGoesOnAcrossAllEdges) {
    constexpr int size = 128;
    std::array<Image, 6> faces;
    for (int face = 0; face < 6; ++face) faces[static_cast<std::size_t>(face)] = sky(face, size);
    const auto at = [&faces](const CubeTexel& texel) {
        return faces[static_cast<std::size_t>(texel.face)].at(texel.x, texel.y);
    };
    for (int face = 0; face < 6; ++face)
        for (int side = 0; side < 4; ++side) {
            MeanDistance across;
            MeanDistance here;
            MeanDistance there;
            const int inwards = side % 2 == 0 ? 1 : -1;
            const int edge = side % 2 == 0 ? 0 : size - 1;
            for (int i = 0; i < size; ++i) {
                const auto texel = [&](int along) {
                    return side < 2 ? CubeTexel{face, along, i} : CubeTexel{face, i, along};
                };
                const CubeTexel outside = texel(edge - inwards);
                const CubeTexel other = across_edge(face, outside.x, outside.y, size);
                across.add(at(texel(edge)), at(other));
                here.add(at(texel(edge)), at(texel(edge + inwards)));
                CubeTexel further = other;  // away from the edge
                if (other.x == 0 || other.x == size - 1) further.x += other.x == 0 ? 1 : -1;
                if (other.y == 0 || other.y == size - 1) further.y += other.y == 0 ? 1 : -1;
                there.add(at(other), at(further));
            }
            EXPECT_LT(across.mean(), 1.5 * std::max(here.mean(), there.mean()) + 1)
                << "face " << face << ", side " << side;
        }
}

TEST(TestCard, LevelsAreHalvedAndRoundedUp) {
    Image image{3, 2, {}};
    for (const float value : {0.0F, 1.0F, 100.0F, 1.0F, 0.0F, 100.0F}) image.texels.push_back({value});
    const std::vector<Image> levels = mip_levels(image);
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].texels, image.texels);
    EXPECT_EQ(levels[1].width, 1);
    EXPECT_EQ(levels[1].height, 1);
    EXPECT_EQ(levels[1].at(0, 0)[0], 1) << "0.5, rounded up, without the third column";
}

TEST(TestCard, LevelsOfAnySizeEndInOneTexel) {
    for (const auto& [width, height, count] :
         {std::array{1, 1, 1}, {64, 64, 7}, {7, 5, 3}, {1, 9, 4}, {16, 1, 5}, {100, 3, 7}}) {
        Image image{width, height, {}};
        for (int i = 0; i < width * height; ++i) image.texels.push_back({7, 200, 0, 255});
        const std::vector<Image> levels = mip_levels(image);
        ASSERT_EQ(levels.size(), static_cast<std::size_t>(count)) << width << " x " << height;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            EXPECT_EQ(levels[k].width, std::max(1, width >> k));
            EXPECT_EQ(levels[k].height, std::max(1, height >> k));
            for (const Texel& texel : levels[k].texels) EXPECT_EQ(texel, (Texel{7, 200, 0, 255}));
        }
    }
    const std::vector<Image> levels = mip_levels(test_card(100));
    for (const Image& level : levels) expect_whole_numbers(level.texels);
}

TEST(TestCard, TextIsCutOffAtTheEdges) {
    Image image{4, 4, std::vector<Texel>(16)};
    draw_text(image, -2, -2, "HH", {1, 1, 1, 1}, 2);
    EXPECT_EQ(image.at(0, 0)[0], 0);
    draw_text(image, 0, 0, "H", {1, 1, 1, 1}, 1);
    EXPECT_EQ(image.at(0, 3)[0], 1);
    EXPECT_EQ(image.at(1, 0)[0], 0);
}

}  // namespace
}  // namespace cudabook::texture_unit
