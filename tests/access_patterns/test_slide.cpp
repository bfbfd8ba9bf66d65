// The slide of access_patterns: what is on it, and where it is green.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "access_patterns/slide.hpp"

namespace cudabook::access_patterns {
namespace {

bool is_green(const Rgba& c) { return c.green > c.red + 60 && c.green > c.blue; }
bool is_red(const Rgba& c) { return c.red > c.green + 60; }

Slide two_by_two(bool more_is_better) {
    Slide slide;
    slide.title = "title";
    slide.patterns = {"upper", "lower"};
    slide.kernels = {"left", "right"};
    slide.elements = {4};
    slide.more_is_better = more_is_better;
    slide.values = {
        {{4, "upper", "left"}, 1.0}, {{4, "upper", "right"}, 100.0}, {{4, "lower", "left"}, 10.0}};
    return slide;
}

/// Returns the number of pixels that pass, for x from `from` to `to`, without the legend.
template <class Passes>
std::size_t count(const Bitmap& bitmap, int from, int to, Passes passes) {
    std::size_t found = 0;
    for (int y = 0; y < bitmap.height * 9 / 10; ++y)
        for (int x = from; x < to; ++x) found += passes(bitmap.at(x, y)) ? 1 : 0;
    return found;
}

TEST(AccessSlide, BestIsGreenAndWorstIsRed) {
    for (const bool more_is_better : {true, false}) {
        const Bitmap bitmap = draw(two_by_two(more_is_better));
        EXPECT_EQ(bitmap.width, 1920);
        EXPECT_EQ(bitmap.height, 1080);
        // The columns begin after the names, and are 300 pixels wide.
        const int middle = 24 + 420 + 300;
        EXPECT_EQ(count(bitmap, 0, middle, is_green) > 5000, !more_is_better);
        EXPECT_EQ(count(bitmap, middle, 1920, is_green) > 5000, more_is_better);
        EXPECT_EQ(count(bitmap, 0, middle, is_red) > 5000, more_is_better);
        EXPECT_EQ(count(bitmap, middle, 1920, is_red) > 5000, !more_is_better);
    }
}

TEST(AccessSlide, NumbersAndNamesAreDrawn) {
    const Bitmap drawn = draw(two_by_two(true));
    for (const auto& change : {+[](Slide& s) { s.title = "other"; }, +[](Slide& s) { s.elements = {8}; },
                               +[](Slide& s) {
                                   s.values[{4, "upper", "left"}] = 2;
                               },
                               +[](Slide& s) { s.kernels.pop_back(); }}) {
        Slide slide = two_by_two(true);
        change(slide);
        const Bitmap other = draw(slide);
        EXPECT_FALSE(drawn.pixels == other.pixels);
    }
}

TEST(AccessSlide, ManyBlocksStayApart) {
    Slide slide = two_by_two(true);
    slide.elements = {1, 2, 4, 8, 16};
    const Bitmap bitmap = draw(slide);
    const auto is_ink = [](const Rgba& c) { return c.red < 100 && c.green < 100 && c.blue < 100; };
    for (const int x : {0, 1919}) EXPECT_EQ(count(bitmap, x, x + 1, is_ink), 0U);
    EXPECT_EQ(count(bitmap, 1920 / 2 - 20, 1920 / 2 - 4, is_ink), 0U)
        << "between the left and the right blocks";
}

/// With one value or none, there is no range of colours.
TEST(AccessSlide, OneValueOrNone) {
    Slide slide = two_by_two(true);
    slide.values = {{{4, "upper", "left"}, 3.0}};
    EXPECT_GT(count(draw(slide), 0, 1920, is_green), 5000U);
    slide.values.clear();
    EXPECT_EQ(count(draw(slide), 0, 1920, is_green), 0U);
}

}  // namespace
}  // namespace cudabook::access_patterns
