// The pictures that the old programs in tests/legacy/ paint, from their formulas.
#pragma once

#include <cstdint>
#include <vector>

#include "common/numbers/colour_map.hpp"

namespace cudabook::test {

/// Returns the picture whose pixels are colour_of_cell(x, y). The top row comes first; y = 0 is the bottom
/// row.
template <class ColourOf>
std::vector<Rgba> painted(int width, int height, ColourOf colour_of_cell) {
    std::vector<Rgba> pixels;
    for (int y = height - 1; y >= 0; --y)
        for (int x = 0; x < width; ++x) pixels.push_back(colour_of_cell(x, y));
    return pixels;
}

inline std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

/// Returns the picture of book_julia.cu, with `dim` rows and columns.
inline std::vector<Rgba> julia(int dim) {
    return painted(dim, dim, [dim](int x, int y) {
        float a = 3.0F * static_cast<float>(x - dim / 2) / static_cast<float>(dim);
        float b = 3.0F * static_cast<float>(y - dim / 2) / static_cast<float>(dim);
        bool inside = true;
        for (int i = 0; i < 100 && inside; ++i) {
            const float t = a * a - b * b - 0.7F;
            b = 2 * a * b + 0.25F;
            a = t;
            inside = a * a + b * b <= 100;
        }
        return Rgba{byte(inside ? 255 : 0), byte(x), byte(y)};
    });
}

/// Returns frame `ticks` of book_ripple_cpu.cu.
inline std::vector<Rgba> ripple(int ticks) {
    return painted(96, 64, [ticks](int x, int y) { return Rgba{byte(x + ticks), byte(y), byte(ticks)}; });
}

/// Returns frame `frame` of book_glut.cu.
inline std::vector<Rgba> glut(int frame) {
    return painted(128, 128, [frame](int x, int y) { return Rgba{byte(x), byte(y), byte(frame)}; });
}

}  // namespace cudabook::test
