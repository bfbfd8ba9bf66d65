#include "texture_unit/picture/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "texture_unit/picture/paint.hpp"

namespace cudabook::texture_unit {

namespace {

constexpr Texel background{24, 26, 32, 255};
constexpr Texel title_colour{226, 230, 238, 255};
constexpr Texel caption_colour{255, 210, 64, 255};

/// Breaks text into lines of at most `width` texels, except where a word is wider.
std::vector<std::string> lines_of(std::string_view text, int width, int scale) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word(text.substr(begin, end - begin));
        begin = end + 1;
        if (word.empty()) continue;
        if (!lines.empty() && text_width(lines.back() + ' ' + word, scale) <= width)
            lines.back() += ' ' + word;
        else
            lines.push_back(word);
    }
    return lines;
}

int widest_word(std::string_view text, int scale) {
    int widest = 0;
    for (const std::string& word : lines_of(text, 0, scale))
        widest = std::max(widest, text_width(word, scale));
    return widest;
}

/// Text that is broken into lines.
struct Text {
    std::vector<std::string> lines;
    int scale;

    [[nodiscard]] int line_height() const { return (glyph_height + 3) * scale; }
    [[nodiscard]] int height() const { return static_cast<int>(lines.size()) * line_height(); }
    void draw(Image& image, int x, int y, const Texel& colour) const {
        for (const std::string& line : lines) {
            draw_text(image, x, y, line, colour, scale);
            y += line_height();
        }
    }
};

/// The widths and titles of panels.
struct Layout {
    int scale = 1;            ///< the scale of the text
    int margin = 12;          ///< the margin around the panels and between them
    std::vector<int> widths;  ///< the widths of the places for the panels
    std::vector<Text> titles;

    explicit Layout(const std::vector<Panel>& panels) {
        int widest = 0;
        for (const Panel& panel : panels) widest = std::max(widest, panel.image.width);
        constexpr int width_for_larger_text = 128;
        scale = std::clamp(widest / width_for_larger_text, 1, 4);
        margin *= scale;
        for (const Panel& panel : panels) {
            widths.push_back(std::max(panel.image.width, widest_word(panel.title, scale)));
            titles.push_back({lines_of(panel.title, widths.back(), scale), scale});
        }
    }
};

/// Copies a picture onto another, with alpha 255.
void paste(Image& onto, const Image& image, int left, int top) {
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            Texel texel = image.at(x, y);
            texel[3] = 255;
            onto.at(left + x, top + y) = texel;
        }
}

/// A row that has the panels `from` to `to` - 1.
struct Row {
    std::size_t from, to;
    int title_height = 0;
    int image_height = 0;

    Row(const std::vector<Panel>& panels, const Layout& layout, std::size_t first, std::size_t end)
        : from(first), to(end) {
        for (std::size_t i = from; i < to; ++i) {
            title_height = std::max(title_height, layout.titles[i].height());
            image_height = std::max(image_height, panels[i].image.height);
        }
    }
    [[nodiscard]] int height() const { return title_height + image_height; }
};

/// Draws the panels of a row. Each panel has the width of its column. A title is directly above its
/// picture.
void draw(Image& sheet, const std::vector<Panel>& panels, const Layout& layout, const Row& row, int top,
          const std::vector<int>& columns) {
    int left = layout.margin;
    for (std::size_t i = row.from; i < row.to; ++i) {
        const Text& title = layout.titles[i];
        title.draw(sheet, left, top + row.title_height - title.height(), title_colour);
        paste(sheet, panels[i].image, left, top + row.title_height);
        left += columns[i - row.from] + layout.margin;
    }
}

int sum_of(const std::vector<int>& widths, int margin) {
    int sum = margin;
    for (const int width : widths) sum += width + margin;
    return sum;
}

/// A contact sheet with `across` columns.
struct Sheet {
    std::vector<int> columns;
    std::vector<Row> rows;
    int width = 0;
    int height = 0;

    Sheet(const std::vector<Panel>& panels, const Layout& layout, std::size_t across) : columns(across) {
        for (std::size_t i = 0; i < panels.size(); ++i)
            columns[i % across] = std::max(columns[i % across], layout.widths[i]);
        height = layout.margin;
        for (std::size_t from = 0; from < panels.size(); from += across) {
            rows.emplace_back(panels, layout, from, std::min(panels.size(), from + across));
            height += rows.back().height() + layout.margin;
        }
        width = sum_of(columns, layout.margin);
    }
};

}  // namespace

Image side_by_side(const std::string& caption, const std::vector<Panel>& panels) {
    const Layout layout(panels);
    const Row row(panels, layout, 0, panels.size());
    const int width = std::max(sum_of(layout.widths, layout.margin),
                               widest_word(caption, layout.scale) + 2 * layout.margin);
    const Text heading{lines_of(caption, width - 2 * layout.margin, layout.scale), layout.scale};
    const int below_heading = heading.lines.empty() ? 0 : heading.height() + layout.margin / 2;
    Image picture = blank(width, below_heading + row.height() + 2 * layout.margin, background);
    heading.draw(picture, layout.margin, layout.margin, caption_colour);
    draw(picture, panels, layout, row, layout.margin + below_heading, layout.widths);
    return picture;
}

Image contact_sheet(const std::vector<Panel>& panels) {
    if (panels.empty()) return blank(1, 1, background);
    const Layout layout(panels);
    Sheet sheet(panels, layout, 1);
    for (std::size_t across = 2; across <= panels.size() && sheet.width * 3 < sheet.height * 4; ++across)
        sheet = Sheet(panels, layout, across);
    Image picture = blank(sheet.width, sheet.height, background);
    int top = layout.margin;
    for (const Row& row : sheet.rows) {
        draw(picture, panels, layout, row, top, sheet.columns);
        top += row.height() + layout.margin;
    }
    return picture;
}

Image difference(const Image& a, const Image& b, float& factor) {
    Image result = blank(a.width, a.height, {0, 0, 0, 255});
    float largest = 0;
    bool equal = true;
    for (std::size_t i = 0; i < result.texels.size(); ++i) {
        std::array<float, 4> apart{};
        for (std::size_t c = 0; c < 4; ++c) {
            const float x = a.texels[i][c];
            const float y = b.texels[i][c];
            if (x == y || (std::isnan(x) && std::isnan(y))) continue;
            equal = false;
            apart[c] = std::isfinite(x) && std::isfinite(y) ? std::fabs(x - y)
                                                            : std::numeric_limits<float>::quiet_NaN();
        }
        for (std::size_t c = 0; c < 3; ++c) {
            result.texels[i][c] = apart[c] + apart[3];
            if (result.texels[i][c] > largest) largest = result.texels[i][c];
        }
    }
    factor = equal ? 0 : 1;
    if (largest > 0) factor = std::ldexp(1.0F, std::clamp(std::ilogb(255 / largest), -100, 100));
    for (Texel& texel : result.texels)
        for (std::size_t c = 0; c < 3; ++c) texel[c] *= factor;
    return result;
}

std::string difference_title(float factor) {
    if (factor == 0) return "no difference";
    const int exponent = std::ilogb(factor);
    const int size = std::abs(exponent);
    constexpr int readable = 20;
    const std::string power = size <= readable ? fmt::format("{}", 1 << size) : fmt::format("2^{}", size);
    return fmt::format("difference {} {}", exponent < 0 ? '/' : 'x', power);
}

std::vector<unsigned char> rgba(const Image& image) {
    std::vector<unsigned char> bytes;
    bytes.reserve(image.texels.size() * 4);
    for (int y = image.height - 1; y >= 0; --y)
        for (int x = 0; x < image.width; ++x) {
            Texel texel = image.at(x, y);
            if (!std::ranges::all_of(texel, [](float value) { return std::isfinite(value); }))
                texel = {255, 0, 255, 255};
            for (const float value : texel)
                bytes.push_back(static_cast<unsigned char>(std::lround(std::clamp(value, 0.0F, 255.0F))));
        }
    return bytes;
}

}  // namespace cudabook::texture_unit
