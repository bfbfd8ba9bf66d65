// Areas and lines on a picture, and its PNG file.
#include "common/picture/bitmap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/png_picture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

constexpr Rgba black{0, 0, 0, 255};
constexpr Rgba red{255, 0, 0, 255};

/// The rows from the top: # where the pixel is not black.
std::string drawn(const Bitmap& bitmap) {
    std::string rows;
    for (int y = 0; y < bitmap.height; ++y) {
        for (int x = 0; x < bitmap.width; ++x) rows += bitmap.at(x, y) == black ? '.' : '#';
        rows += ' ';
    }
    return rows;
}

TEST(Bitmap, AreasAreCutOffAtTheEdges) {
    Bitmap bitmap = blank(4, 3, black);
    fill(bitmap, -2, 1, 3, 9, red);
    fill(bitmap, 3, -5, 9, 6, red);
    EXPECT_EQ(drawn(bitmap), "...# #... #... ");
}

TEST(Bitmap, LinesReachBothEnds) {
    Bitmap bitmap = blank(5, 3, black);
    draw_line(bitmap, 4, 2, 0, 0, red);
    EXPECT_EQ(drawn(bitmap), "##... ..##. ....# ") << "halves are rounded away from the first end";
    bitmap = blank(4, 4, black);
    draw_line(bitmap, 1, 1, 1, 1, red);
    EXPECT_EQ(drawn(bitmap), ".... .#.. .... .... ");
    draw_line(bitmap, 3, 3, -9, 3, red);
    EXPECT_EQ(drawn(bitmap), ".... .#.. .... #### ");
    bitmap = blank(5, 5, black);
    draw_line(bitmap, 2, 0, 2, 4, red, 3);
    EXPECT_EQ(drawn(bitmap), ".###. .###. .###. .###. .###. ");
}

TEST(Bitmap, TheFileHasTheSamePixels) {
    const test::TemporaryFolder folder;
    Bitmap bitmap = blank(3, 2, black);
    fill(bitmap, 1, 0, 2, 1, red);
    OutputFile file(folder / "chart.png");
    write_png(file, bitmap);
    const test::Picture picture(folder / "chart.png");
    EXPECT_EQ(picture.width, 3);
    EXPECT_EQ(picture.height, 2);
    EXPECT_TRUE(std::ranges::equal(picture.pixels, bitmap.pixels));
}

}  // namespace
}  // namespace cudabook
