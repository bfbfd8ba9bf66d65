#include "common/picture/bitmap.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/program/png_file.hpp"

namespace cudabook {

Bitmap blank(int width, int height, Rgba colour) {
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return {width, height, std::vector<Rgba>(size, colour)};
}

void fill(Bitmap& bitmap, int x, int y, int width, int height, Rgba colour) {
    for (int j = std::max(0, y); j < std::min(bitmap.height, y + height); ++j)
        for (int i = std::max(0, x); i < std::min(bitmap.width, x + width); ++i) bitmap.at(i, j) = colour;
}

void draw_line(Bitmap& bitmap, int x0, int y0, int x1, int y1, Rgba colour, int thickness) {
    const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    const auto between = [steps](int from, int to, int step) {
        const int twice = 2 * (to - from) * step;
        return from + (twice + (twice < 0 ? -steps : steps)) / (2 * steps);
    };
    for (int step = 0; step <= steps; ++step)
        fill(bitmap, between(x0, x1, step) - thickness / 2, between(y0, y1, step) - thickness / 2, thickness,
             thickness, colour);
}

void write_png(OutputFile& file, const Bitmap& bitmap) {
    std::vector<Rgba> bottom_up;
    bottom_up.reserve(bitmap.pixels.size());
    for (int y = bitmap.height - 1; y >= 0; --y)
        for (int x = 0; x < bitmap.width; ++x) bottom_up.push_back(bitmap.at(x, y));
    write_png(file, reinterpret_cast<const unsigned char*>(bottom_up.data()), bitmap.width, bitmap.height);
}

}  // namespace cudabook
