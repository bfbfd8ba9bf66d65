#include "texture_unit/demo/overlay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace cudabook::texture_unit {

namespace {

constexpr double least_edge = 12;   ///< the least distance in pixels between two edges that are drawn
constexpr double least_label = 44;  ///< the least size in pixels of a texel with a label

/// A colour and its opacity.
struct Ink {
    std::array<double, 3> colour;
    double opacity;
};
constexpr Ink faint_black{{0, 0, 0}, 0.28};
constexpr Ink faint_white{{255, 255, 255}, 0.28};
constexpr Ink black_ink{{0, 0, 0}, 0.8};
constexpr Ink white_ink{{255, 255, 255}, 1};
constexpr Ink yellow{{255, 209, 102}, 1};
constexpr Ink blue{{102, 204, 255}, 1};

void paint(const Drawing& drawing, int x, int y, const Ink& ink) {
    if (x < 0 || y < 0 || x >= drawing.size.width || y >= drawing.size.height) return;
    unsigned char* const pixel =
        drawing.rgba + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(drawing.size.width) +
                            static_cast<std::size_t>(x));
    for (std::size_t c = 0; c < 3; ++c)
        pixel[c] =
            static_cast<unsigned char>(std::lround(pixel[c] + ink.opacity * (ink.colour[c] - pixel[c])));
}

/// The part of a line, from 0 to 1, that is in the picture or a margin around it. If there is no such part,
/// end < begin.
struct Part {
    double begin = 0, end = 1;

    void keep(double from, double along, double least, double most) {
        if (along == 0) {
            if (from < least || from > most) end = -1;
            return;
        }
        const double one = (least - from) / along;
        const double other = (most - from) / along;
        begin = std::max(begin, std::min(one, other));
        end = std::min(end, std::max(one, other));
    }
};

/// Draws a line `width` pixels wide: in each column, or in each row if the line is steep, paints `width`
/// pixels.
void draw_line(const Drawing& drawing, Place from, Place to, int width, const Ink& ink) {
    const double along_x = to.x - from.x;
    const double along_y = to.y - from.y;
    Part part;
    part.keep(from.x, along_x, -width, drawing.size.width + width);
    part.keep(from.y, along_y, -width, drawing.size.height + width);
    if (part.end < part.begin) return;
    const bool steep = std::fabs(along_y) > std::fabs(along_x);
    const double length = steep ? along_y : along_x;
    if (length == 0) return;
    const double start = steep ? from.y : from.x;
    double first = start + part.begin * length;
    double last = start + part.end * length;
    if (first > last) std::swap(first, last);
    for (auto step = static_cast<int>(std::floor(first)); step <= static_cast<int>(std::floor(last));
         ++step) {
        const double share = std::clamp((step + 0.5 - start) / length, part.begin, part.end);
        const double across = steep ? from.x + share * along_x : from.y + share * along_y;
        const auto side = static_cast<int>(std::floor(across - width / 2.0 + 0.5));
        for (int i = side; i < side + width; ++i) paint(drawing, steep ? i : step, steep ? step : i, ink);
    }
}

/// Draws a rectangle of the texture, given in texels of the first level.
void draw_rectangle(const Drawing& drawing, const Look& look, Place first, Place last, int width,
                    const Ink& ink) {
    const std::array<Place, 4> corners{first, {last.x, first.y}, last, {first.x, last.y}};
    for (std::size_t i = 0; i < 4; ++i)
        draw_line(drawing, pixel_at(look, drawing.size, corners[i]),
                  pixel_at(look, drawing.size, corners[(i + 1) % 4]), width, ink);
}

/// The part of the texture that is in the picture, in texels of the first level.
struct Seen {
    Place least, most;
};
Seen seen_part(const Look& look, Size picture) {
    Seen seen{{1e9, 1e9}, {-1e9, -1e9}};
    for (const int x : {0, picture.width}) {
        for (const int y : {0, picture.height}) {
            const Place corner = texel_at(look, picture, {static_cast<double>(x), static_cast<double>(y)});
            seen.least = {std::min(seen.least.x, corner.x), std::min(seen.least.y, corner.y)};
            seen.most = {std::max(seen.most.x, corner.x), std::max(seen.most.y, corner.y)};
        }
    }
    return seen;
}

/// The size of a level's texels, in texels of the first level.
Place texel_size(Size first, Size level) {
    return {static_cast<double>(first.width) / level.width, static_cast<double>(first.height) / level.height};
}

Place texel_size(const LookModel& model, int level) { return texel_size(model.size(0), model.size(level)); }

}  // namespace

void draw_grid(const Drawing& drawing, const Look& look, Size first, Size read) {
    const Place texel = texel_size(first, read);
    const Seen seen = seen_part(look, drawing.size);
    // Black beside white is visible on every colour.
    const auto line = [&](Place from, Place to) {
        const Place first_end = pixel_at(look, drawing.size, from);
        const Place last_end = pixel_at(look, drawing.size, to);
        draw_line(drawing, first_end, last_end, 1, faint_black);
        draw_line(drawing, {first_end.x + 1, first_end.y - 1}, {last_end.x + 1, last_end.y - 1}, 1,
                  faint_white);
    };
    if (look.zoom * texel.x >= least_edge)
        for (double x = std::ceil(seen.least.x / texel.x); x * texel.x <= seen.most.x; ++x)
            line({x * texel.x, seen.least.y}, {x * texel.x, seen.most.y});
    if (look.zoom * texel.y >= least_edge)
        for (double y = std::ceil(seen.least.y / texel.y); y * texel.y <= seen.most.y; ++y)
            line({seen.least.x, y * texel.y}, {seen.most.x, y * texel.y});
    const Place end{static_cast<double>(first.width), static_cast<double>(first.height)};
    draw_rectangle(drawing, look, {0, 0}, end, 4, black_ink);
    draw_rectangle(drawing, look, {0, 0}, end, 2, white_ink);
}

void draw_reads(const Drawing& drawing, const Look& look, const LookModel& model,
                const std::vector<Read>& reads) {
    const auto outline = [&](const Read& read, int x, int y, int width, const Ink& ink) {
        const Place size = texel_size(model, read.level);
        draw_rectangle(drawing, look, {x * size.x, y * size.y}, {(x + 1) * size.x, (y + 1) * size.y}, width,
                       ink);
    };
    const auto outline_all = [&](int wider, const auto& ink_of) {
        for (std::size_t i = reads.size(); i-- > 0;) {  // backwards, so that the first level is on top
            const Read& read = reads[i];
            const bool elsewhere = read.x != read.place_x || read.y != read.place_y;
            outline(read, read.place_x, read.place_y, (elsewhere ? 1 : 3) + wider, ink_of(read));
            if (elsewhere && read.x >= 0 && read.y >= 0)
                outline(read, read.x, read.y, 3 + wider, ink_of(read));
        }
    };
    outline_all(2, [](const Read& /*read*/) { return black_ink; });
    outline_all(0, [&](const Read& read) { return read.level == reads.front().level ? yellow : blue; });
}

void draw_cross(const Drawing& drawing, Cell at) {
    const Place middle = middle_of(at);
    const auto cross = [&](double length, int width, const Ink& ink) {
        draw_line(drawing, {middle.x - length, middle.y}, {middle.x + length, middle.y}, width, ink);
        draw_line(drawing, {middle.x, middle.y - length}, {middle.x, middle.y + length}, width, ink);
    };
    cross(8, 3, black_ink);
    cross(7, 1, white_ink);
}

std::vector<cudabook::Label> weight_labels(const Look& look, Size picture, const LookModel& model,
                                           const std::vector<Read>& reads) {
    std::vector<cudabook::Label> labels;
    for (const Read& read : reads) {
        const Place size = texel_size(model, read.level);
        if (read.level != reads.front().level || look.zoom * std::min(size.x, size.y) < least_label) continue;
        const Place middle =
            pixel_at(look, picture, {(read.place_x + 0.5) * size.x, (read.place_y + 0.5) * size.y});
        labels.push_back({middle.x, middle.y, fmt::format("{}", read.weight)});
    }
    return labels;
}

}  // namespace cudabook::texture_unit
