// A picture for charts, with functions that draw rectangles and lines.
#pragma once

#include <cstddef>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "common/program/output_file.hpp"

namespace cudabook {

/// width x height pixels, row-major, row 0 at the top. The functions below draw nothing outside the picture.
struct Bitmap {
    int width = 0;
    int height = 0;
    std::vector<Rgba> pixels;

    Rgba& at(int x, int y) { return pixels[index(x, y)]; }
    [[nodiscard]] const Rgba& at(int x, int y) const { return pixels[index(x, y)]; }

  private:
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

Bitmap blank(int width, int height, Rgba colour);

/// Fills a rectangle whose upper left corner is (x, y).
void fill(Bitmap& bitmap, int x, int y, int width, int height, Rgba colour);

/// Draws a line between two pixels with a pen of thickness x thickness pixels.
void draw_line(Bitmap& bitmap, int x0, int y0, int x1, int y1, Rgba colour, int thickness = 1);

/// Writes the picture and commits the file. If that fails, throws MachineError, and an existing file keeps
/// its old content.
void write_png(OutputFile& file, const Bitmap& bitmap);

}  // namespace cudabook
