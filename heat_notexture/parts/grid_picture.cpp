#include "heat_notexture/parts/grid_picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/numbers/colour_map.hpp"
#include "heat_notexture/parts/rows.hpp"

namespace cudabook::heat {

namespace {

constexpr int most_pixels = 4096;  // a side

/// Temperatures are added as integers in this unit, so that the order of the addition does not matter.
constexpr double unit = 0x1p-32;

/// Returns the pixels of a region's cells, where a pixel has `cells` × `cells` cells.
Region pixels_of(const Region& region, int cells) {
    const int x = region.x / cells;
    const int y = region.y / cells;
    return {x, y, (region.x + region.width - 1) / cells - x + 1,
            (region.y + region.height - 1) / cells - y + 1};
}

std::size_t size_of(const Region& region) {
    return static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height);
}

/// Returns a temperature in units, limited to 0 to 1 as in the colour map; NaN becomes 0.
std::int64_t in_units(float temperature) {
    const double seen = temperature > 0 ? std::min(static_cast<double>(temperature), 1.0) : 0.0;
    return std::llround(seen / unit);
}

/// If a pixel is one cell, the bits of its temperature stand in place of a sum.
std::int64_t alone(float temperature) { return std::bit_cast<std::int32_t>(temperature); }
float alone(std::int64_t sum) { return std::bit_cast<float>(static_cast<std::int32_t>(sum)); }

/// Returns the sums of the part's temperatures for each of its pixels.
std::vector<std::int64_t> sums_of(const PartSolver& part, const Region& pixels, int cells) {
    std::vector<std::int64_t> sums(size_of(pixels));
    for_each_band(part.part(), [&](const Region& band, std::span<float> temperatures) {
        part.read(band, temperatures.data());
        const float* next = temperatures.data();
        for (int y = band.y; y < band.y + band.height; ++y) {
            std::int64_t* const row = &sums[static_cast<std::size_t>(y / cells - pixels.y) *
                                            static_cast<std::size_t>(pixels.width)];
            for (int x = band.x; x < band.x + band.width; ++x) {
                row[x / cells - pixels.x] += cells == 1 ? alone(*next) : in_units(*next);
                ++next;
            }
        }
    });
    return sums;
}

}  // namespace

Picture picture(Worker& worker, const Partition& partition, const PartSolver* part) {
    const int longest = std::max(partition.width(), partition.height());
    const int cells = longest / most_pixels + (longest % most_pixels != 0 ? 1 : 0);
    std::vector<std::int64_t> own;
    if (part != nullptr) own = sums_of(*part, pixels_of(part->part(), cells), cells);

    if (!worker.is_first()) {
        if (part != nullptr) worker.exchange(std::vector{Outgoing{0, 0, std::as_bytes(std::span(own))}}, {});
        return {};
    }
    const Region whole = pixels_of({0, 0, partition.width(), partition.height()}, cells);
    std::vector<std::int64_t> sums(size_of(whole));
    for (int i = 0; i < partition.parts(); ++i) {
        const Region pixels = pixels_of(partition.part(i), cells);
        if (i != worker.index()) {
            own.resize(size_of(pixels));
            worker.exchange({}, std::vector{Incoming{i, 0, std::as_writable_bytes(std::span(own))}});
        }
        auto next = own.begin();
        for_each_cell(pixels, whole.width, [&](std::size_t pixel) { sums[pixel] += *next++; });
    }

    Picture picture{whole.width, whole.height, std::vector<unsigned char>(4 * sums.size())};
    for (int y = 0; y < whole.height; ++y)
        for (int x = 0; x < whole.width; ++x) {
            const std::int64_t in_pixel = std::int64_t{std::min(cells, partition.width() - x * cells)} *
                                          std::min(cells, partition.height() - y * cells);
            const auto pixel = static_cast<std::size_t>(x) +
                               static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width);
            const double average = static_cast<double>(sums[pixel]) / static_cast<double>(in_pixel) * unit;
            const Rgba colour = colour_of(cells == 1 ? alone(sums[pixel]) : static_cast<float>(average));
            std::memcpy(&picture.rgba[4 * pixel], &colour, sizeof colour);
        }
    return picture;
}

}  // namespace cudabook::heat
