// The font of charts and test pictures.
#include "common/picture/font.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cudabook {
namespace {

TEST(Font, EveryCharacterLooksDifferent) {
    const std::string characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#%&'()*+,-./:;<=>?[]^_|";
    std::vector<std::string> seen;
    for (const char character : characters) {
        std::string dots;
        for (int row = 0; row < glyph_height; ++row)
            for (int column = 0; column < glyph_width; ++column)
                dots += ink(character, column, row) ? '#' : '.';
        EXPECT_EQ(std::ranges::count(seen, dots), 0) << character;
        seen.push_back(dots);
    }
    EXPECT_TRUE(ink('q', 2, 4) == ink('Q', 2, 4) && ink('\x01', 0, 0)) << "a box for what it does not have";
}

TEST(Font, TextHasTheWidthThatIsDrawn) {
    EXPECT_EQ(text_width("", 2), 0);
    EXPECT_EQ(text_width("HH", 2), 22);
    int left = 100;
    int right = 0;
    draw_text(5, 0, "HH", 2, [&](int x, int, int width, int) {
        left = std::min(left, x);
        right = std::max(right, x + width);
    });
    EXPECT_EQ(left, 5);
    EXPECT_EQ(right, 5 + 22);
}

}  // namespace
}  // namespace cudabook
