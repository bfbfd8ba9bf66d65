#include "occupancy/picture/chart.hpp"

#include <cmath>

#include <fmt/format.h>

#include "common/picture/font.hpp"

namespace cudabook::occupancy {

double round_step(double most, int steps) {
    double step = std::pow(10, std::floor(std::log10(most / steps)));
    if (step * 5 * steps <= most) return step * 5;
    if (step * 2 * steps <= most) return step * 2;
    return step;
}

void draw_text_before(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour, int scale) {
    draw_text(bitmap, x - text_width(text, scale), y, text, colour, scale);
}
void draw_text_around(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour, int scale) {
    draw_text(bitmap, x - text_width(text, scale) / 2, y, text, colour, scale);
}

void draw_axes(Bitmap& bitmap, const Chart& chart, const std::string& title, const std::string& under) {
    constexpr int scale = 2;
    constexpr int of_text = glyph_height * scale;
    constexpr double margin = 1 + 1e-9;
    const double step_x = round_step(chart.most_x, 4);
    for (int i = 0; i * step_x <= chart.most_x * margin; ++i) {
        const int x = chart.x(i * step_x);
        draw_line(bitmap, x, chart.top, x, chart.top + chart.height, pale);
        draw_text_around(bitmap, x, chart.top + chart.height + 6, fmt::format("{:g}", i * step_x), black,
                         scale);
    }
    const double step_y = round_step(chart.most_y, 4);
    for (int i = 0; i * step_y <= chart.most_y * margin; ++i) {
        const int y = chart.y(i * step_y);
        draw_line(bitmap, chart.left, y, chart.left + chart.width, y, pale);
        draw_text_before(bitmap, chart.left - 8, y - of_text / 2, fmt::format("{:g}", i * step_y), black,
                         scale);
    }
    draw_line(bitmap, chart.left, chart.top, chart.left, chart.top + chart.height, black, 2);
    draw_line(bitmap, chart.left, chart.top + chart.height, chart.left + chart.width,
              chart.top + chart.height, black, 2);
    draw_text(bitmap, chart.left, chart.top - of_text - 8, title, black, scale);
    draw_text_around(bitmap, chart.left + chart.width / 2, chart.top + chart.height + of_text + 14, under,
                     black, scale);
}

}  // namespace cudabook::occupancy
