// Text on charts, in the system's font and in dots.
#include "common/picture/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "common/picture/font_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

constexpr Rgba paper{255, 255, 255};
constexpr Rgba pen{0, 0, 0};

/// The bounds of a text's ink. The text's capitals are 20 pixels high and begin at (30, 30).
struct Ink {
    int left = 1000, right = -1, top = 1000, bottom = -1;
    Bitmap bitmap = blank(300, 80, paper);
};
Ink ink_of(const Lettering& letters, std::string_view text) {
    Ink ink;
    letters.draw(ink.bitmap, 30, 30, text, pen, 20);
    for (int y = 0; y < ink.bitmap.height; ++y)
        for (int x = 0; x < ink.bitmap.width; ++x)
            if (ink.bitmap.at(x, y).green < 128) {
                ink.left = std::min(ink.left, x);
                ink.right = std::max(ink.right, x);
                ink.top = std::min(ink.top, y);
                ink.bottom = std::max(ink.bottom, y);
            }
    return ink;
}
bool look_alike(const Lettering& letters, std::string_view one, std::string_view other) {
    return ink_of(letters, one).bitmap.pixels == ink_of(letters, other).bitmap.pixels;
}

struct TextInOutlines : testing::Test {
    const Lettering letters = lettering();
    void SetUp() override {
        if (letters.width("i", 70) == letters.width("m", 70))
            GTEST_SKIP() << "DejaVu Sans or stb_truetype is missing";
    }
};

TEST_F(TextInOutlines, CapitalsHaveTheirSize) {
    const Ink capitals = ink_of(letters, "HEX");
    EXPECT_EQ(capitals.top, 30);
    EXPECT_EQ(capitals.bottom, 49);
    const Ink small = ink_of(letters, "ogpy_");
    EXPECT_GT(small.top, 30);
    EXPECT_GT(small.bottom, 50);
    EXPECT_LE(small.bottom, 49 + 20 / 3);
}

TEST_F(TextInOutlines, TextIsAsWideAsItIsDrawn) {
    EXPECT_EQ(letters.width("", 20), 0);
    for (const std::string_view text : {"H", "vector_add1", "µs", "10⁹ elements", "8192² · 4 × 1 %"}) {
        const Ink ink = ink_of(letters, text);
        EXPECT_GE(ink.left, 30) << text;
        EXPECT_LT(ink.right, 30 + letters.width(text, 20)) << text;
        EXPECT_GT(ink.right, 30 + letters.width(text, 20) - 5) << text;
    }
}

TEST_F(TextInOutlines, EachSignIsItsOwn) {
    EXPECT_FALSE(look_alike(letters, "us", "US"));
    EXPECT_FALSE(look_alike(letters, "us", "µs"));
    const Ink missing = ink_of(letters, "\U0010FFFF");
    for (const std::string_view sign : {"µ", "²", "⁹", "·", "×", "%"})
        EXPECT_FALSE(ink_of(letters, sign).bitmap.pixels == missing.bitmap.pixels) << sign;
}

TEST_F(TextInOutlines, TextIsCutOffAtTheEdges) {
    Bitmap bitmap = blank(9, 9, paper);
    letters.draw(bitmap, -7, -7, "HHHH", pen, 30);
    EXPECT_GT(std::ranges::count(bitmap.pixels, pen), 0);
}

TEST(TextInDots, CapitalsAlone) {
    const Lettering dots(nullptr);
    const Ink ink = ink_of(dots, "H");
    EXPECT_EQ(ink.top, 33) << "two pixels a dot, 14 of the 20 rows";
    EXPECT_EQ(ink.bottom, 46);
    EXPECT_EQ(ink.right, 30 + dots.width("H", 20) - 1);
    EXPECT_TRUE(look_alike(dots, "vector µs, 10⁹", "VECTOR US, 10^9"));
    EXPECT_EQ(dots.width("×", 20), dots.width("X", 20)) << "a box";
    EXPECT_EQ(dots.width("H", 1), 5);
}

TEST(TextInDots, WhereTheFileIsNoFont) {
    const test::TemporaryFolder folder;
    for (const char* text : {"", "no font, but as long as the head of one is, and longer"}) {
        std::ofstream(folder / "font.ttf") << text;
        const std::string file = folder / "font.ttf";
        EXPECT_TRUE(look_alike(Lettering(file.c_str()), "a", "A")) << text;
    }
    EXPECT_TRUE(look_alike(Lettering("no/such/file"), "a", "A"));
}

}  // namespace
}  // namespace cudabook
