// Paints plain areas and text into pictures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "common/picture/font.hpp"
#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

inline Image blank(int width, int height, const Texel& colour) {
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return {width, height, std::vector<Texel>(count, colour)};
}

/// Fills the part of a rectangle that is inside the picture.
inline void fill(Image& image, int x, int y, int width, int height, const Texel& colour) {
    for (int j = std::max(0, y); j < std::min(image.height, y + height); ++j)
        for (int i = std::max(0, x); i < std::min(image.width, x + width); ++i) image.at(i, j) = colour;
}

/// Draws a line of text whose upper left corner is (x, y), clipped to the picture.
inline void draw_text(Image& image, int x, int y, std::string_view text, const Texel& colour, int scale) {
    cudabook::draw_text(x, y, text, scale, [&](int left, int top, int width, int height) {
        fill(image, left, top, width, height, colour);
    });
}

}  // namespace cudabook::texture_unit
