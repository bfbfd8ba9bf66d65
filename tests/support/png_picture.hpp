// Reads a PNG file.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <vector>

#include "common/numbers/colour_map.hpp"

namespace cudabook::test {

/// A PNG file, read by libpng.
struct Picture {
    explicit Picture(const std::filesystem::path& path) {
        png_image image{};
        image.version = PNG_IMAGE_VERSION;
        if (png_image_begin_read_from_file(&image, path.c_str()) == 0) {
            ADD_FAILURE() << path << ": " << image.message;
            return;
        }
        image.format = PNG_FORMAT_RGBA;
        width = static_cast<int>(image.width);
        height = static_cast<int>(image.height);
        pixels.resize(PNG_IMAGE_SIZE(image) / sizeof(Rgba));
        if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0)
            ADD_FAILURE() << path << ": " << image.message;
    }

    int width = 0;
    int height = 0;
    std::vector<Rgba> pixels;  ///< row 0 is the top
};

}  // namespace cudabook::test
