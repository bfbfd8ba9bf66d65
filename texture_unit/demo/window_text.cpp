#include "texture_unit/demo/window_text.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "texture_unit/demo/keys.hpp"

namespace cudabook::texture_unit {

namespace {

/// The name of an address mode, and the mode that it acts as, if that is another mode.
std::string address_text(const Look& look, std::size_t dimension) {
    const Address address = look.address[dimension];
    const bool switched = !look.normalized && (address == Address::wrap || address == Address::mirror);
    return name_of(address) + (switched ? " (acts as clamp)" : "");
}

std::string level_text(const Look& look, int levels) {
    const Neighbours read = look.levels_read(levels);
    if (!look.normalized) return fmt::format("level {} alone, as an array without a mipmap", read.index[0]);
    const std::string level = fmt::format("mipmap level {:.2f} (0 to {}): ", look.level, levels - 1);
    if (read.second == 0)
        return fmt::format("{}level {}{}", level, read.index[0],
                           look.level_filter == Filter::point ? ", the nearest" : "");
    return fmt::format("{}{}/256 of {}, {}/256 of {}", level, 256 * (1 - read.second), read.index[0],
                       256 * read.second, read.index[1]);
}

}  // namespace

std::string name_of(Filter filter) { return filter == Filter::point ? "point" : "linear"; }

std::string name_of(Address address) {
    switch (address) {
        case Address::wrap:
            return "wrap";
        case Address::clamp:
            return "clamp";
        case Address::mirror:
            return "mirror";
        case Address::border:
            break;
    }
    return "border";
}

std::string title_of(const std::string& program, const std::string& device, const Look& look) {
    return fmt::format("{} on {}: {}, x {}, y {}", program, device, name_of(look.filter),
                       name_of(look.address[0]), name_of(look.address[1]));
}

cudabook::Panel panel_of(const std::string& program, const std::string& device, const Look& look, int levels,
                         const std::optional<Explanation>& explained, const std::string& message) {
    cudabook::Panel panel;
    panel.title = fmt::format("{} on {}", program, device);
    panel.note = message;
    panel.keys = window_keys();
    panel.lines = {fmt::format("{} filter, {}", name_of(look.filter),
                               look.normalized ? "normalised coordinates" : "coordinates in texels"),
                   fmt::format("x: {},  y: {}", address_text(look, 0), address_text(look, 1)),
                   level_text(look, levels),
                   fmt::format("{:.3g} pixels a texel, turned by {} degrees", look.zoom, look.angle)};
    if (!explained) {
        panel.lines.emplace_back("point at a texel to see what is read; H: the keys");
        return panel;
    }
    panel.lines.emplace_back("");
    panel.lines.push_back(fetch_text(*explained, look));
    for (const std::string& line : position_lines(*explained, look)) panel.lines.push_back(line);
    panel.table = table_of(*explained);
    return panel;
}

}  // namespace cudabook::texture_unit
