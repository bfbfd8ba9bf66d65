#include "heat_notexture/demo/brush.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "heat_notexture/scene.hpp"

namespace cudabook::heat {

namespace {

struct Vector {
    std::int64_t x, y;
    [[nodiscard]] std::int64_t times(const Vector& v) const { return x * v.x + y * v.y; }
};

/// Returns whether a cell is at most `distance` cells away from the line from a to b.
bool is_near(Cell cell, Cell a, Cell b, int distance) {
    const Vector line{b.x - a.x, b.y - a.y};
    const Vector from_a{cell.x - a.x, cell.y - a.y};
    const Vector from_b{cell.x - b.x, cell.y - b.y};
    const std::int64_t most = std::int64_t{distance} * distance;
    if (from_a.times(line) <= 0) return from_a.times(from_a) <= most;
    if (from_b.times(line) >= 0) return from_b.times(from_b) <= most;
    const auto area = static_cast<double>(from_a.x * line.y - from_a.y * line.x);
    return area * area <= static_cast<double>(most) * static_cast<double>(line.times(line));
}

float source_of(const Drag& drag) {
    if (drag.shift) return 0;
    return drag.button == Button::left ? max_temperature : min_temperature;
}

}  // namespace

Region paint_sources(std::vector<float>& sources, int width, int height, const Drag& drag) {
    const float source = source_of(drag);
    const int radius = std::max(1, std::min(width, height) / 128);
    const int left = std::max(0, std::min(drag.from.x, drag.to.x) - radius);
    const int bottom = std::max(0, std::min(drag.from.y, drag.to.y) - radius);
    const int right = std::min(width - 1, std::max(drag.from.x, drag.to.x) + radius);
    const int top = std::min(height - 1, std::max(drag.from.y, drag.to.y) + radius);
    for (int y = bottom; y <= top; ++y)
        for (int x = left; x <= right; ++x)
            if (is_near({x, y}, drag.from, drag.to, radius))
                sources[static_cast<std::size_t>(x) +
                        static_cast<std::size_t>(y) * static_cast<std::size_t>(width)] = source;
    return {left, bottom, right - left + 1, top - bottom + 1};
}

}  // namespace cudabook::heat
