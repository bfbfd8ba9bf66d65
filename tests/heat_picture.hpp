// The book's room as it should be drawn, and a picture as it was written.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <filesystem>
#include <vector>

#include "common/colour_map.hpp"
#include "common/heat/cpu_solver.hpp"
#include "common/heat/scene.hpp"

namespace cudabook::test {

/// A PNG as libpng reads it.
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

/// The picture of a grid, from its top row to its bottom one, which is row 0.
inline std::vector<Rgba> picture_of(const std::vector<float>& cells, int width) {
    const auto row = static_cast<std::ptrdiff_t>(width);
    std::vector<Rgba> pixels;
    pixels.reserve(cells.size());
    for (auto end = cells.end(); end != cells.begin(); end -= row)
        for (auto cell = end - row; cell != end; ++cell) pixels.push_back(colour_of(*cell));
    return pixels;
}

/// The picture of the room after so many steps.
inline std::vector<Rgba> picture_after(int width, int height, int steps) {
    heat::Reference solver(heat::book_scene(width, height), {});
    solver.advance(steps);
    return picture_of(solver.temperatures(), width);
}

}  // namespace cudabook::test
