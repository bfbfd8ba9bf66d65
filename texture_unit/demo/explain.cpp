#include "texture_unit/demo/explain.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "common/texture_model/blending.hpp"

namespace cudabook::texture_unit {

namespace {

std::array<Axis, 2> axes_of(const TextureModel& level) {
    return {Axis{level.size[0], level.address[0], level.normalized},
            Axis{level.size[1], level.address[1], level.normalized}};
}

/// Returns the index of the first texel that is read along a dimension, before the address mode changes it.
int first_place(const Axis& axis, Filter filter, float x) {
    const double position = axis.position(x);
    return static_cast<int>(std::floor(filter == Filter::linear ? in_256ths(position - 0.5) : position));
}

/// Adds the texels that are read from a level. Their weights add up to `whole`.
void add_reads(std::vector<Read>& reads, const LookModel& model, int level, double whole, float x, float y) {
    const TextureModel& texture = model.level(level);
    const std::array<Axis, 2> axes = axes_of(texture);
    const std::array<Neighbours, 2> near{axes[0].neighbours(x, texture.filter),
                                         axes[1].neighbours(y, texture.filter)};
    const std::array<double, 8> weight = weights({near[0].second, near[1].second, 0}, whole);
    const int place_x = first_place(axes[0], texture.filter, x);
    const int place_y = first_place(axes[1], texture.filter, y);
    for (std::size_t corner = 0; corner < 4; ++corner) {
        if (weight[corner] == 0) continue;
        const std::size_t right = corner & 1U;
        const std::size_t below = corner >> 1U;
        const int i = near[0].index[right];
        const int j = near[1].index[below];
        reads.push_back({.level = level,
                         .x = i,
                         .y = j,
                         .place_x = place_x + static_cast<int>(right),
                         .place_y = place_y + static_cast<int>(below),
                         .weight = static_cast<int>(std::lround(weight[corner] * 256)),
                         .value = texture.texel(i, j, 0)});
    }
}

/// Adds a level's result times `whole`, computed by the formulas in double precision.
void add_exactly(std::array<double, 4>& sum, const TextureModel& texture, double whole, float x, float y) {
    const std::array<Axis, 2> axes = axes_of(texture);
    const bool linear = texture.filter == Filter::linear;
    const double from_x = axes[0].position(x) - (linear ? 0.5 : 0);
    const double from_y = axes[1].position(y) - (linear ? 0.5 : 0);
    const double first_x = std::floor(from_x);
    const double first_y = std::floor(from_y);
    for (const int right : {0, 1}) {
        for (const int below : {0, 1}) {
            if (!linear && right + below > 0) continue;
            const double share_x = right == 1 ? from_x - first_x : 1 - (from_x - first_x);
            const double share_y = below == 1 ? from_y - first_y : 1 - (from_y - first_y);
            const double weight = whole * (linear ? share_x * share_y : 1);
            const Texel& texel =
                texture.texel(axes[0].resolved(first_x + right), axes[1].resolved(first_y + below), 0);
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += weight * static_cast<double>(texel[c]);
        }
    }
}

std::string texel_text(const Read& read) {
    const std::string texel = read.x < 0 || read.y < 0 ? "border" : fmt::format("({}, {})", read.x, read.y);
    return fmt::format("{}  level {}", texel, read.level);
}

}  // namespace

Explanation explain(const LookModel& model, const Look& look, float x, float y) {
    Explanation explained{.x = x, .y = y, .levels = look.levels_read(model.levels())};
    const auto [first, second] = explained.levels.index;
    const double deeper = explained.levels.second;
    const auto read = [&](int level, double whole) {
        const std::array<Axis, 2> axes = axes_of(model.level(level));
        explained.positions.push_back({axes[0].position(x), axes[1].position(y)});
        add_reads(explained.reads, model, level, whole, x, y);
        add_exactly(explained.exact, model.level(level), whole, x, y);
    };
    read(first, 1 - deeper);
    if (deeper > 0) read(second, deeper);
    explained.unit = model.at(x, y);
    return explained;
}

std::string fetch_text(const Explanation& explained, const Look& look) {
    if (!look.normalized) return fmt::format("tex2D(texture, {:.4f}, {:.4f})", explained.x, explained.y);
    return fmt::format("tex2DLod(texture, {:.5f}, {:.5f}, {:.2f})", explained.x, explained.y, look.level);
}

std::vector<std::string> position_lines(const Explanation& explained, const Look& look) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < explained.positions.size(); ++i) {
        for (std::size_t d = 0; d < 2; ++d) {
            const double position = explained.positions[i][d];
            const std::string start =
                fmt::format("{} in level {}: {:.4f}", "xy"[d], explained.levels.index[i], position);
            if (look.filter == Filter::point) {
                lines.push_back(fmt::format("{} lies in texel {}", start, std::floor(position)));
                continue;
            }
            const double rounded = in_256ths(position - 0.5);
            const double first = std::floor(rounded);
            lines.push_back(fmt::format("{} - 1/2 = {} + {}/256  (exactly {:.2f})", start, first,
                                        (rounded - first) * 256, (position - 0.5 - first) * 256));
        }
    }
    return lines;
}

std::vector<std::vector<std::string>> table_of(const Explanation& explained) {
    std::vector<std::vector<std::string>> rows{{"texel", "weight", "red", "green", "blue"}};
    int sum = 0;
    for (const Read& read : explained.reads) {
        rows.push_back({texel_text(read), fmt::format("{}/256", read.weight),
                        fmt::format("{}", read.value[0]), fmt::format("{}", read.value[1]),
                        fmt::format("{}", read.value[2])});
        sum += read.weight;
    }
    std::vector<std::string> unit{"the unit", fmt::format("{}/256", sum)};
    std::vector<std::string> exact{"exact", ""};
    std::vector<std::string> difference{"difference", ""};
    for (const std::size_t c : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        const auto value = static_cast<double>(explained.unit[c]);
        unit.push_back(fmt::format("{:.4f}", value));
        exact.push_back(fmt::format("{:.4f}", explained.exact[c]));
        difference.push_back(fmt::format("{:+.4f}", value - explained.exact[c]));
    }
    rows.insert(rows.end(), {unit, exact, difference});
    return rows;
}

}  // namespace cudabook::texture_unit
