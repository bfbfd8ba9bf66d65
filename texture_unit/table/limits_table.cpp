// The largest textures and surfaces. Source: the CUDA C Programming Guide's table of technical specifications
// per compute capability. For 1.x and 2.x: version 4.2, except 2.x's 3-D textures, which are from
// deviceQuery's output for a Tesla M2070 and a GeForce GTX 470. For 3.5 to 8.7: version 11. For 7.5 to 12.0:
// version 13.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/text_table.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

namespace {

constexpr SizeLimits of_1x{.texture_1d = {8192},
                           .texture_1d_linear = {1 << 27},
                           .texture_1d_layered = {8192, 512},
                           .texture_2d = {65536, 32768},
                           .texture_2d_linear = {65000, 65000},
                           .texture_2d_layered = {8192, 8192, 512},
                           .texture_3d = {2048, 2048, 2048}};

constexpr SizeLimits of_2x{.texture_1d = {65536},
                           .texture_1d_linear = {1 << 27},
                           .texture_1d_layered = {16384, 2048},
                           .texture_2d = {65536, 65535},
                           .texture_2d_linear = {65000, 65000},
                           .texture_2d_gather = {16384, 16384},
                           .texture_2d_layered = {16384, 16384, 2048},
                           .texture_3d = {2048, 2048, 2048},
                           .texture_cubemap = {16384},
                           .texture_cubemap_layered = {16384, 2046},
                           .surface_1d = {65536},
                           .surface_1d_layered = {65536, 2048},
                           .surface_2d = {65536, 32768},
                           .surface_2d_layered = {65536, 32768, 2048},
                           .surface_3d = {65536, 32768, 2048},
                           .surface_cubemap = {32768},
                           .surface_cubemap_layered = {32768, 2046}};

constexpr SizeLimits of_3x = [] {
    SizeLimits limits = of_2x;
    limits.texture_2d = {65536, 65536};
    limits.texture_3d = {4096, 4096, 4096};
    return limits;
}();

constexpr SizeLimits of_5x = [] {
    SizeLimits limits = of_3x;
    limits.texture_2d_linear = {65536, 65536};
    limits.surface_1d = {16384};
    limits.surface_1d_layered = {16384, 2048};
    limits.surface_2d = {65536, 65536};
    limits.surface_2d_layered = {16384, 16384, 2048};
    limits.surface_3d = {4096, 4096, 4096};
    limits.surface_cubemap = {16384};
    limits.surface_cubemap_layered = {16384, 2046};
    return limits;
}();

/// For a layered 2-D surface, version 13 of the guide says 1048 layers; version 11 and an H200 say 2048.
constexpr SizeLimits of_today{.texture_1d = {131072},
                              .texture_1d_linear = {1 << 28},
                              .texture_1d_layered = {32768, 2048},
                              .texture_2d = {131072, 65536},
                              .texture_2d_linear = {131072, 65000},
                              .texture_2d_gather = {32768, 32768},
                              .texture_2d_layered = {32768, 32768, 2048},
                              .texture_3d = {16384, 16384, 16384},
                              .texture_cubemap = {32768},
                              .texture_cubemap_layered = {32768, 2046},
                              .surface_1d = {32768},
                              .surface_1d_layered = {32768, 2048},
                              .surface_2d = {131072, 65536},
                              .surface_2d_layered = {32768, 32768, 2048},
                              .surface_3d = {16384, 16384, 16384},
                              .surface_cubemap = {32768},
                              .surface_cubemap_layered = {32768, 2046}};

constexpr SizeLimits of_small_6x = [] {
    SizeLimits limits = of_today;
    limits.texture_1d_linear = {1 << 27};
    return limits;
}();

/// A column of the guides' tables.
struct Column {
    std::string_view name;
    std::vector<int> capabilities;  ///< 10 × major + minor
    const SizeLimits& limits;
};

const std::array<Column, 6>& columns() {
    static const std::array<Column, 6> all{
        {{"1.x", {10, 11, 12, 13}, of_1x},
         {"2.x", {20, 21}, of_2x},
         {"3.5, 3.7", {35, 37}, of_3x},
         {"5.x", {50, 52, 53}, of_5x},
         {"6.1, 6.2, 7.2", {61, 62, 72}, of_small_6x},
         {"6.0, 7.0, 7.5 to 12.0", {60, 70, 75, 80, 86, 87, 89, 90, 100, 110, 120}, of_today}}};
    return all;
}

constexpr std::array<std::pair<std::string_view, Extent SizeLimits::*>, 17> rows{
    {{"1-D array", &SizeLimits::texture_1d},
     {"1-D linear memory", &SizeLimits::texture_1d_linear},
     {"1-D layered", &SizeLimits::texture_1d_layered},
     {"2-D array", &SizeLimits::texture_2d},
     {"2-D pitched memory", &SizeLimits::texture_2d_linear},
     {"2-D with gather", &SizeLimits::texture_2d_gather},
     {"2-D layered", &SizeLimits::texture_2d_layered},
     {"3-D array", &SizeLimits::texture_3d},
     {"cube map", &SizeLimits::texture_cubemap},
     {"cube map, layered", &SizeLimits::texture_cubemap_layered},
     {"surface, 1-D", &SizeLimits::surface_1d},
     {"surface, 1-D layered", &SizeLimits::surface_1d_layered},
     {"surface, 2-D", &SizeLimits::surface_2d},
     {"surface, 2-D layered", &SizeLimits::surface_2d_layered},
     {"surface, 3-D", &SizeLimits::surface_3d},
     {"surface, cube map", &SizeLimits::surface_cubemap},
     {"surface, cube, layered", &SizeLimits::surface_cubemap_layered}}};

/// An extent as text, such as "16384x16384x2048" or "2^28"; "-" if there is none.
std::string shown(const Extent& extent) {
    if (extent[0] == 0) return "-";
    for (const int exponent : {27, 28})
        if (extent[0] == 1 << exponent) return fmt::format("2^{}", exponent);
    std::string text = fmt::format("{}", extent[0]);
    for (std::size_t i = 1; i < extent.size() && extent[i] != 0; ++i) text += fmt::format("x{}", extent[i]);
    return text;
}

}  // namespace

TableResult limits_table(const std::optional<DeviceLimits>& device) {
    TableResult table;
    const Column* of_device = nullptr;
    std::vector<std::string> headings{"largest size in texels"};
    for (const Column& column : columns()) {
        headings.emplace_back(column.name);
        if (device && std::ranges::count(column.capabilities, 10 * device->major + device->minor) != 0)
            of_device = &column;
    }
    if (device) headings.push_back(fmt::format("{} ({}.{})", device->name, device->major, device->minor));

    TextTable text(headings);
    for (const auto& [what, limit] : rows) {
        std::vector<std::string> cells{std::string(what)};
        Figures figures{{"what", what}};
        std::string before;
        for (const Column& column : columns()) {
            const std::string cell = shown(column.limits.*limit);
            cells.push_back(cell == before && cell != "-" ? "\"" : cell);  // the same as on the left
            figures[column.name] = cell;
            before = cell;
        }
        bool ok = true;
        if (device) {
            const Extent& here = device->sizes.*limit;
            ok = of_device == nullptr || here == of_device->limits.*limit;
            cells.push_back(shown(here) + (ok ? "" : " *"));
            figures["device"] = shown(here);
        }
        figures["ok"] = ok;
        table.ok = table.ok && ok;
        text.add(std::move(cells));
        table.rows.push_back(std::move(figures));
    }
    if (!table.ok) text.add_line("* not what the guide says of this compute capability");
    if (device && of_device == nullptr)
        text.add_line(fmt::format("Compute capability {}.{} is not in the guides' tables.", device->major,
                                  device->minor));
    table.text = text.text();
    return table;
}

}  // namespace cudabook::texture_unit
