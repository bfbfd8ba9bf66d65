#include "texture_unit/picture/test_card.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "texture_unit/picture/paint.hpp"

namespace cudabook::texture_unit {

namespace {

constexpr Texel white{255, 255, 255, 255};
constexpr Texel black{0, 0, 0, 255};
constexpr Texel card_background{52, 58, 70, 255};

Texel grey(int value) {
    const auto v = static_cast<float>(value);
    return {v, v, v, 255};
}

/// A colour of full brightness. The hue goes from 0 to 6: red, yellow, green, cyan, blue, magenta, red; the
/// saturation from 0 (white) to 1.
Texel colour_of(double hue, double saturation) {
    Texel colour{0, 0, 0, 255};
    for (std::size_t c = 0; c < 3; ++c) {
        // The distance of the hue from the hue of this component.
        const double own = 2 * static_cast<double>(c);
        double apart = std::fabs(hue - own);
        apart = std::min(apart, 6 - apart);
        const double full = std::clamp(2 - apart, 0.0, 1.0);
        colour[c] = static_cast<float>(std::floor(255 * (1 - saturation * (1 - full)) + 0.5));
    }
    return colour;
}

/// The angle of (x, y) from 0 to 6, within a tenth of a degree. It does not use atan2(), whose last bits
/// differ between machines.
double sixths_of_a_turn(double x, double y) {
    const double ax = std::fabs(x);
    const double ay = std::fabs(y);
    if (ax + ay == 0) return 0;
    const double t = std::min(ax, ay) / std::max(ax, ay);
    const double eighth = t * (0.75 + (1 - t) * (0.234 + 0.062 * t));  // fitted to atan(t)
    double sixths = ay > ax ? 1.5 - eighth : eighth;
    if (x < 0) sixths = 3 - sixths;
    return y < 0 ? 6 - sixths : sixths;
}

/// A card; places on it are given in 64ths of its size.
class Card {
  public:
    explicit Card(int size) : size_(size), image_(blank(size, size, card_background)) {}

    [[nodiscard]] int place(int sixty_fourths) const { return sixty_fourths * size_ / 64; }

    /// Calls colour(x, y, width, height) for each texel of an area, x and y counted from its corner.
    template <class Colour>
    void area(int left, int top, int right, int bottom, Colour colour) {
        const int x0 = place(left);
        const int y0 = place(top);
        const int width = place(right) - x0;
        const int height = place(bottom) - y0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) image_.at(x0 + x, y0 + y) = colour(x, y, width, height);
    }

    /// Draws a ring or, with inner = 0, a disc around (x, y) in 64ths. colour(dx, dy) gets the distance from
    /// the centre in texels.
    template <class Colour>
    void ring(int x, int y, double inner, double outer, Colour colour) {
        const double centre_x = x * size_ / 64.0;
        const double centre_y = y * size_ / 64.0;
        for (int j = 0; j < size_; ++j)
            for (int i = 0; i < size_; ++i) {
                const double dx = i + 0.5 - centre_x;
                const double dy = j + 0.5 - centre_y;
                const double squared = dx * dx + dy * dy;
                if (squared >= inner * inner && squared < outer * outer) image_.at(i, j) = colour(dx, dy);
            }
    }

    /// Draws a line of dots, one in each row or column.
    void line(double x0, double y0, double x1, double y1, const Texel& colour) {
        const int steps = static_cast<int>(std::max(std::fabs(x1 - x0), std::fabs(y1 - y0)));
        for (int i = 0; i <= steps; ++i) {
            const double along = steps == 0 ? 0 : static_cast<double>(i) / steps;
            fill(image_, static_cast<int>(std::lround(x0 + along * (x1 - x0))),
                 static_cast<int>(std::lround(y0 + along * (y1 - y0))), 1, 1, colour);
        }
    }

    /// Draws text in the middle of the card, on plain background, if it fits.
    void text(int top, std::string_view line, const Texel& colour, int scale) {
        const int width = text_width(line, scale);
        if (width > size_ - 2) return;
        const int left = (size_ - width) / 2;
        fill(image_, left - 2 * scale, place(top) - scale, width + 4 * scale, (glyph_height + 2) * scale,
             card_background);
        draw_text(image_, left, place(top), line, colour, scale);
    }

    [[nodiscard]] int size() const { return size_; }
    Image& image() { return image_; }

  private:
    int size_;
    Image image_;
};

}  // namespace

Image test_card(int size) {
    Card card(size);
    const double unit = size / 64.0;

    // Circles: a large circle behind everything, and the colour wheel with its rim.
    const double thin = std::max(1.0, unit / 2);
    card.ring(32, 32, 30 * unit - thin, 30 * unit, [](double, double) { return grey(200); });
    const double wheel = 12 * unit;
    card.ring(32, 27, 0, wheel, [wheel](double dx, double dy) {
        return colour_of(sixths_of_a_turn(dx, -dy), std::min(1.0, std::sqrt(dx * dx + dy * dy) / wheel));
    });
    card.ring(32, 27, wheel, wheel + thin, [](double, double) { return white; });

    // Stripes of one texel, squares of one texel and of several, and a fan of lines.
    card.area(3, 14, 18, 26, [](int x, int, int, int) { return x % 2 == 0 ? white : black; });
    card.area(46, 14, 61, 26, [](int, int y, int, int) { return y % 2 == 0 ? white : black; });
    const int square = std::max(2, card.place(3));
    card.area(3, 28, 18, 40, [square](int x, int y, int width, int) {
        const int step = x < width / 2 ? 1 : square;
        const int from = x < width / 2 ? x : x - width / 2;
        return (from / step + y / step) % 2 == 0 ? white : black;
    });
    card.area(46, 28, 61, 40, [](int, int, int, int) { return black; });
    const int left = card.place(46);
    const int top = card.place(28);
    const int right = card.place(61) - 1;
    const int bottom = card.place(40) - 1;
    const int lines = size < 128 ? 2 : 4;
    for (int i = 0; i <= lines; ++i) {
        const double share = static_cast<double>(i) / lines;
        card.line(left, bottom, left + (right - left) * share, top, white);
        card.line(left, bottom, right, top + (bottom - top) * share, white);
    }

    // A grey ramp, a grey ramp in eight steps, and colour bars.
    card.area(3, 43, 61, 47,
              [](int x, int, int width, int) { return grey(x * 255 / std::max(1, width - 1)); });
    card.area(3, 47, 61, 50, [](int x, int, int width, int) { return grey(x * 8 / width * 255 / 7); });
    constexpr std::array<Texel, 8> bars{{{255, 255, 255, 255},
                                         {255, 255, 0, 255},
                                         {0, 255, 255, 255},
                                         {0, 255, 0, 255},
                                         {255, 0, 255, 255},
                                         {255, 0, 0, 255},
                                         {0, 0, 255, 255},
                                         {0, 0, 0, 255}}};
    const bool small_text = size >= 128;
    card.area(3, 50, 61, small_text ? 54 : 60,
              [&bars](int x, int, int width, int) { return bars[static_cast<std::size_t>(x * 8 / width)]; });

    if (size >= 64) card.text(4, "TEXTURE", {255, 210, 64, 255}, size / 64);
    if (small_text) card.text(56, "0123456789ABCDEF", white, size / 128);

    for (int i = 0; i < size; ++i)
        for (const auto& [x, y] : {std::pair{i, 0}, {i, size - 1}, {0, i}, {size - 1, i}})
            card.image().at(x, y) = white;
    return std::move(card.image());
}

std::vector<Image> glyphs(int size) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const int scale = std::max(1, (size - 2) / (glyph_height + 1));
    std::vector<Image> layers;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        Texel colour = colour_of(6 * static_cast<double>(i) / 16, 0.75);
        for (std::size_t c = 0; c < 3; ++c) colour[c] = std::floor(colour[c] * 0.625F);
        Image layer = blank(size, size, colour);
        draw_text(layer, (size - glyph_width * scale + 1) / 2, (size - glyph_height * scale + 1) / 2,
                  digits.substr(i, 1), white, scale);
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::vector<Texel> volume(int size) {
    std::vector<Texel> texels;
    const double across = size;
    const double ring = 0.62 * across;  // from the volume's middle to the middle of the tube, in half texels
    const double tube = 0.30 * across;
    const auto shade = [size](int i) {
        const int rounded = size == 1 ? 255 : (2 * i * 255 / (size - 1) + 1) / 2;
        return static_cast<float>(rounded);
    };
    for (int z = 0; z < size; ++z)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const double dx = 2 * x + 1 - across;
                const double dy = 2 * y + 1 - across;
                const double dz = 2 * z + 1 - across;
                const double off = std::sqrt(dx * dx + dy * dy) - ring;
                const bool inside = off * off + dz * dz < tube * tube;
                texels.push_back(inside ? Texel{shade(x), shade(y), shade(z), 255} : Texel{});
            }
    return texels;
}

std::vector<Image> mip_levels(Image image) {
    std::vector<Image> levels{std::move(image)};
    while (levels.back().width > 1 || levels.back().height > 1) {
        const Image& above = levels.back();
        Image level = blank(std::max(1, above.width / 2), std::max(1, above.height / 2), {});
        for (int y = 0; y < level.height; ++y)
            for (int x = 0; x < level.width; ++x) {
                const int right = std::min(2 * x + 1, above.width - 1);
                const int below = std::min(2 * y + 1, above.height - 1);
                for (std::size_t c = 0; c < 4; ++c) {
                    const float sum = above.at(2 * x, 2 * y)[c] + above.at(right, 2 * y)[c] +
                                      above.at(2 * x, below)[c] + above.at(right, below)[c];
                    level.at(x, y)[c] = std::floor(sum / 4 + 0.5F);
                }
            }
        levels.push_back(std::move(level));
    }
    return levels;
}

}  // namespace cudabook::texture_unit
