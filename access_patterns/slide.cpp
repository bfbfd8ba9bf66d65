#include "access_patterns/slide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "common/picture/text.hpp"

namespace cudabook::access_patterns {

namespace {

constexpr int slide_width = 1920;
constexpr int slide_height = 1080;
constexpr int margin = 24;
constexpr int title_height = 52;

constexpr Rgba rgb(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    return {red, green, blue, 255};
}
constexpr Rgba paper = rgb(255, 255, 255);
constexpr Rgba pen = rgb(0, 0, 0);
constexpr Rgba none = rgb(225, 225, 225);

struct Area {
    int x, y, width, height;
};

/// The largest font size, at most `most`, at which each of these texts fits into the width.
int size_for(const std::vector<std::string>& texts, int width, int most) {
    constexpr int least = 7;
    int size = most;
    for (const std::string& text : texts)
        while (size > least && lettering().width(text, size) > width) --size;
    return size;
}

/// Draws text at the area's left edge, vertically centred.
void draw_text(Bitmap& bitmap, const Area& area, const std::string& text, int size) {
    lettering().draw(bitmap, area.x, area.y + (area.height - size) / 2, text, pen, size);
}
void draw_centred(Bitmap& bitmap, const Area& area, const std::string& text, int size) {
    const int beside = (area.width - lettering().width(text, size)) / 2;
    draw_text(bitmap, {area.x + beside, area.y, area.width, area.height}, text, size);
}

/// A colour between dark red (0), yellow and green (1).
Rgba colour_of(double share) {
    constexpr std::array<std::array<double, 3>, 3> stops{{{214, 86, 74}, {250, 215, 110}, {96, 190, 112}}};
    const double at = 2 * std::clamp(share, 0.0, 1.0);
    const std::size_t from = at < 1 ? 0 : 1;
    const double part = at - static_cast<double>(from);
    const auto mixed = [&](std::size_t c) {
        return static_cast<std::uint8_t>(
            std::lround((1 - part) * stops[from][c] + part * stops[from + 1][c]));
    };
    return rgb(mixed(0), mixed(1), mixed(2));
}

/// Formats a number with three digits or more, but at most three decimal places.
std::string number(double value) {
    return fmt::format("{:.{}f}", value, value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/// The colour scale over all numbers of the slide, from the worst to the best.
class Scale {
  public:
    explicit Scale(const Slide& slide) : more_is_better_(slide.more_is_better) {
        for (const auto& [key, value] : slide.values) {
            least_ = std::min(least_, value);
            most_ = std::max(most_, value);
        }
    }
    [[nodiscard]] Rgba colour(double value) const {
        const double share = most_ > least_ ? std::log(value / least_) / std::log(most_ / least_) : 1;
        return colour_of(more_is_better_ || most_ <= least_ ? share : 1 - share);
    }
    [[nodiscard]] bool is_better(double a, double b) const { return more_is_better_ ? a > b : a < b; }
    [[nodiscard]] double worst() const { return more_is_better_ ? least_ : most_; }
    [[nodiscard]] double best() const { return more_is_better_ ? most_ : least_; }

  private:
    bool more_is_better_;
    double least_ = std::numeric_limits<double>::infinity();
    double most_ = 0;
};

std::optional<double> value_at(const Slide& slide, std::size_t element, const std::string& pattern,
                               const std::string& kernel) {
    const auto found = slide.values.find({element, pattern, kernel});
    return found == slide.values.end() ? std::nullopt : std::optional(found->second);
}

void draw_block(Bitmap& bitmap, const Slide& slide, const Scale& scale, std::size_t element,
                const Area& area) {
    constexpr int gap = 2;
    const int columns = static_cast<int>(slide.kernels.size());
    const int rows = static_cast<int>(slide.patterns.size());
    const int row_height = std::min(area.height / (rows + 1), 64);
    const int labels = std::min(area.width / 4, 420);
    const int column_width = std::min((area.width - labels) / columns, 300);
    const int most = std::min(row_height * 2 / 3, 28);
    const int label_size = size_for(slide.patterns, labels - 12, most);
    const int head_size = size_for(slide.kernels, column_width - 8, most);
    const int number_size = size_for({"0000", "0.00"}, column_width - 12, most);
    draw_text(bitmap, {area.x, area.y, labels, row_height},
              element == 1 ? "1 byte" : fmt::format("{} bytes", element), label_size);
    for (int column = 0; column < columns; ++column)
        draw_centred(bitmap, {area.x + labels + column * column_width, area.y, column_width, row_height},
                     slide.kernels[static_cast<std::size_t>(column)], head_size);
    for (int row = 0; row < rows; ++row) {
        const std::string& pattern = slide.patterns[static_cast<std::size_t>(row)];
        const int y = area.y + (row + 1) * row_height;
        draw_text(bitmap, {area.x, y, labels, row_height}, pattern, label_size);
        std::optional<double> best;
        for (const std::string& kernel : slide.kernels) {
            const auto value = value_at(slide, element, pattern, kernel);
            if (value && (!best || scale.is_better(*value, *best))) best = value;
        }
        for (int column = 0; column < columns; ++column) {
            const auto value =
                value_at(slide, element, pattern, slide.kernels[static_cast<std::size_t>(column)]);
            const Area cell{area.x + labels + column * column_width, y, column_width, row_height};
            if (value && columns > 1 && value == best)
                fill(bitmap, cell.x, cell.y, cell.width, cell.height, pen);
            fill(bitmap, cell.x + gap, cell.y + gap, cell.width - 2 * gap, cell.height - 2 * gap,
                 value ? scale.colour(*value) : none);
            if (value) draw_centred(bitmap, cell, number(*value), number_size);
        }
    }
}

void draw_legend(Bitmap& bitmap, const Slide& slide, const Scale& scale, const Area& area) {
    constexpr int steps = 256;
    constexpr int bar_height = 20;
    constexpr int size = 16;
    int x = area.x;
    const auto write = [&](const std::string& text) {
        draw_text(bitmap, {x, area.y, area.width, bar_height}, text, size);
        x += lettering().width(text, size) + 12;
    };
    write(number(scale.worst()));
    for (int step = 0; step < steps; ++step)
        fill(bitmap, x + step, area.y, 1, bar_height, colour_of(step / (steps - 1.0)));
    x += steps + 12;
    write(number(scale.best()));
    x += 24;
    if (slide.kernels.size() > 1) write("framed: the best of a row");
}

}  // namespace

Bitmap draw(const Slide& slide) {
    Bitmap bitmap = blank(slide_width, slide_height, paper);
    constexpr int width = slide_width - 2 * margin;
    const Scale scale(slide);
    draw_text(bitmap, {margin, 0, width, title_height}, slide.title, size_for({slide.title}, width, 24));
    const int blocks = static_cast<int>(slide.elements.size());
    const int across = blocks > 1 ? 2 : 1;
    const int down = (blocks + across - 1) / across;
    constexpr int legend_height = 30;
    const int top = title_height;
    const int height = (slide_height - top - legend_height - margin / 2) / down;
    for (int block = 0; block < blocks; ++block)
        draw_block(bitmap, slide, scale, slide.elements[static_cast<std::size_t>(block)],
                   {margin + block % across * (width / across), top + block / across * height,
                    width / across - (across > 1 ? margin : 0), height - 8});
    if (!slide.values.empty())
        draw_legend(bitmap, slide, scale, {margin, slide_height - legend_height, width, legend_height});
    return bitmap;
}

}  // namespace cudabook::access_patterns
