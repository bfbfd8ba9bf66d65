// Axes and curves on a picture.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "common/picture/bitmap.hpp"

namespace cudabook::occupancy {

inline constexpr Rgba white{255, 255, 255};
inline constexpr Rgba black{24, 24, 32};
inline constexpr Rgba grey{150, 150, 160};
inline constexpr Rgba pale{226, 226, 232};
inline constexpr std::array<Rgba, 6> colours{
    {{0, 98, 178}, {222, 110, 0}, {0, 140, 100}, {190, 40, 120}, {110, 80, 190}, {140, 110, 30}}};

/// The height in pixels of a capital letter (text_size), and of a line of text above a chart (heading).
inline constexpr int text_size = 18;
inline constexpr int heading = text_size + 12;

/// A chart's place on a picture, and the ranges of its axes, which begin at 0.
struct Chart {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
    double most_x = 1;
    double most_y = 1;

    [[nodiscard]] int x(double value) const { return left + pixels(value / most_x * width); }
    [[nodiscard]] int y(double value) const { return top + height - pixels(value / most_y * height); }

  private:
    static int pixels(double length) { return static_cast<int>(std::lround(length)); }
};

/// Returns the largest number of the form 1, 2 or 5 times a power of ten that fits into `most` at least
/// `steps` times.
double round_step(double most, int steps);

/// Draws the grid, the numbers at the axes, and the title above the chart. `under` is the label of the
/// horizontal axis.
void draw_axes(Bitmap& bitmap, const Chart& chart, const std::string& title, const std::string& under);

/// Draws a line of text. With draw_text(), the text begins at x. With draw_text_before(), the text ends at x.
/// The top of the capital letters is at y.
void draw_text(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour = black,
               int size = text_size);
void draw_text_before(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour = black);

}  // namespace cudabook::occupancy
