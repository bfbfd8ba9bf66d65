#include "occupancy/picture/chart.hpp"

#include <cmath>

#include <fmt/format.h>

#include "common/picture/text.hpp"

namespace cudabook::occupancy {

double round_step(double most, int steps) {
    double step = std::pow(10, std::floor(std::log10(most / steps)));
    if (step * 5 * steps <= most) return step * 5;
    if (step * 2 * steps <= most) return step * 2;
    return step;
}

namespace {

void draw_text_around(Bitmap& bitmap, int x, int y, const std::string& text) {
    draw_text(bitmap, x - lettering().width(text, text_size) / 2, y, text);
}

}  // namespace

void draw_text(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour, int size) {
    lettering().draw(bitmap, x, y, text, colour, size);
}

void draw_text_before(Bitmap& bitmap, int x, int y, const std::string& text, Rgba colour) {
    draw_text(bitmap, x - lettering().width(text, text_size), y, text, colour);
}

void draw_axes(Bitmap& bitmap, const Chart& chart, const std::string& title, const std::string& under) {
    constexpr double margin = 1 + 1e-9;
    const double step_x = round_step(chart.most_x, 4);
    for (int i = 0; i * step_x <= chart.most_x * margin; ++i) {
        const int x = chart.x(i * step_x);
        draw_line(bitmap, x, chart.top, x, chart.top + chart.height, pale);
        draw_text_around(bitmap, x, chart.top + chart.height + 8, fmt::format("{:g}", i * step_x));
    }
    const double step_y = round_step(chart.most_y, 4);
    for (int i = 0; i * step_y <= chart.most_y * margin; ++i) {
        const int y = chart.y(i * step_y);
        draw_line(bitmap, chart.left, y, chart.left + chart.width, y, pale);
        draw_text_before(bitmap, chart.left - 8, y - text_size / 2, fmt::format("{:g}", i * step_y));
    }
    draw_line(bitmap, chart.left, chart.top, chart.left, chart.top + chart.height, black, 2);
    draw_line(bitmap, chart.left, chart.top + chart.height, chart.left + chart.width,
              chart.top + chart.height, black, 2);
    draw_text(bitmap, chart.left, chart.top - heading, title);
    draw_text_around(bitmap, chart.left + chart.width / 2, chart.top + chart.height + text_size + 16, under);
}

}  // namespace cudabook::occupancy
