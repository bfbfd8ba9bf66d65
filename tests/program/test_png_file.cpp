// common/program/png_file.hpp: libpng reads back what was written, and a file is complete or absent.
#include "common/program/png_file.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::is_one_line;

/// A picture read by libpng: row 0 is at the top.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<unsigned char> rgba;
};

Picture read_png(const std::filesystem::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) throw std::runtime_error(image.message);
    EXPECT_EQ(image.format, static_cast<png_uint_32>(PNG_FORMAT_RGBA))
        << "8 bits a channel, alpha, no palette";
    image.format = PNG_FORMAT_RGBA;
    Picture picture{static_cast<int>(image.width), static_cast<int>(image.height),
                    std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
    if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0)
        throw std::runtime_error(image.message);
    return picture;
}

/// Pixels that differ from their neighbours in every channel.
std::vector<unsigned char> pixels(int width, int height) {
    std::vector<unsigned char> rgba;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : {3 * x + 50 * y, 7 * x + 11 * y + 5, x * y, 255 - x - 2 * y})
                rgba.push_back(static_cast<unsigned char>(value % 256));
    return rgba;
}

class PngOfSize : public testing::TestWithParam<std::array<int, 2>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, PngOfSize,
                         testing::Values(std::array{1, 1}, std::array{2, 1}, std::array{1, 2},
                                         std::array{17, 1}, std::array{1, 17}, std::array{3, 5},
                                         std::array{64, 48}, std::array{333, 257}),
                         [](const auto& test) {
                             return std::to_string(test.param[0]) + "x" + std::to_string(test.param[1]);
                         });

TEST_P(PngOfSize, ReadsBackWithRow0AtTheBottom) {
    const auto [width, height] = GetParam();
    const test::TemporaryFolder folder;
    const std::vector<unsigned char> rgba = pixels(width, height);
    OutputFile file(folder / "picture.png");
    write_png(file, rgba.data(), width, height);

    const Picture picture = read_png(folder / "picture.png");
    ASSERT_EQ(picture.width, width);
    ASSERT_EQ(picture.height, height);
    const auto row_bytes = std::ptrdiff_t{4} * width;
    for (int y = 0; y < height; ++y) {
        const auto wanted = rgba.begin() + y * row_bytes;
        const auto found = picture.rgba.begin() + (height - 1 - y) * row_bytes;
        ASSERT_TRUE(std::equal(wanted, wanted + row_bytes, found)) << "row " << y;
    }
}

class PngFile : public testing::Test {
  protected:
    /// The error for a picture of this size, with memory for one black row.
    [[nodiscard]] std::string error_of(int width, int height) const {
        const std::vector<unsigned char> row(4096);
        return error_text<MachineError>([&] {
            OutputFile file(path_);
            write_png(file, row.data(), width, height);
        });
    }

    const test::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "picture.png";
};

TEST_F(PngFile, ExistsAsSoonAsItIsWritten) {
    OutputFile file(path_);
    write_png(file, pixels(4, 4).data(), 4, 4);
    EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{"picture.png"});
}

TEST_F(PngFile, WiderThanAPngCanBe) {
    EXPECT_EQ(error_of(std::numeric_limits<int>::max() / 4 + 1, 1),
              "cannot write '" + path_.string() + "': the picture is too wide for a PNG");
    EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{});
}

TEST_F(PngFile, WiderThanLibpngTakes) {
    const std::string error = error_of(std::numeric_limits<int>::max() / 4, 1);
    EXPECT_EQ(error.find("cannot write '" + path_.string() + "': "), 0U) << error;
    EXPECT_TRUE(is_one_line(error)) << error;
    EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{});
}

TEST_F(PngFile, WithoutPixels) {
    EXPECT_NE(error_of(0, 1), "no error");
    EXPECT_NE(error_of(1, 0), "no error");
    EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{});
}

TEST_F(PngFile, AfterAnErrorTheOldPictureStays) {
    static_cast<void>(folder_.file("picture.png", "old"));
    EXPECT_NE(error_of(0, 1), "no error");
    EXPECT_EQ(test::content_of(path_), "old");
    EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{"picture.png"});
}

TEST_F(PngFile, FullDevice) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    for (const int size : {1, 300}) {  // less and more than the stream buffers
        const std::string error = error_text<MachineError>([&] {
            OutputFile file("/dev/full");
            write_png(file, pixels(size, size).data(), size, size);
        });
        EXPECT_EQ(error.find("cannot write '/dev/full': "), 0U) << error;
        EXPECT_TRUE(is_one_line(error)) << error;
    }
}

}  // namespace
}  // namespace cudabook
