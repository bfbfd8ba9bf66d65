#include "access_patterns/traffic.hpp"

#include <algorithm>
#include <vector>

namespace cudabook::access_patterns {

namespace {

constexpr unsigned warp = 32;

/// The number of threads of a warp whose sectors are counted together.
unsigned lanes_at_a_time(Path path, std::size_t element_bytes) {
    switch (path) {
        case Path::linear:
            return element_bytes == 16 ? 4 : 8;
        case Path::pitched:
        case Path::array:
        case Path::wide:
            return 4;
        default:
            return warp;
    }
}

/// Returns the number of the half sector, which has 16 bytes of linear memory or of a row of a CUDA array,
/// that contains an element. In a CUDA array, half sectors of two rows form one sector.
std::uint32_t half_sector_of(std::uint32_t element, std::size_t element_bytes) {
    return element * static_cast<std::uint32_t>(element_bytes) / (sector_bytes / 2);
}

std::uint32_t sector_of(std::uint32_t element, const ArrayShape& shape, std::size_t element_bytes,
                        bool in_array) {
    const std::uint32_t half = half_sector_of(element, element_bytes);
    if (!in_array) return half / 2;
    const auto across = std::max(shape.width() * static_cast<std::uint32_t>(element_bytes) / 16, 1U);
    return half / across / 2 * across + half % across;
}

std::uint64_t different(std::vector<std::uint32_t>& sectors) {
    std::ranges::sort(sectors);
    return static_cast<std::uint64_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

}  // namespace

Demand demand_of(const Pattern& pattern, std::size_t bytes, std::size_t element_bytes, Path path,
                 unsigned most_tiles) {
    const ArrayShape shape = shape_of(bytes, element_bytes);
    const bool in_array = path == Path::array || path == Path::surface;
    const unsigned group = lanes_at_a_time(path, element_bytes);
    const unsigned tile = walk_tile(element_bytes);
    const unsigned tiles = shape.elements() / tile;
    const unsigned counted = std::min(tiles, most_tiles);
    Demand demand;
    std::vector<std::uint32_t> sectors(tile);
    std::vector<std::uint32_t> halves(tile);
    std::vector<std::uint32_t> of_group(group);
    for (unsigned n = 0; n < counted; ++n) {
        const unsigned first = n * (tiles / counted) * tile;
        std::visit(
            [&](const auto& walk) {
                for (unsigned i = 0; i < tile; ++i) {
                    const std::uint32_t element = walk(first + i);
                    sectors[i] = sector_of(element, shape, element_bytes, in_array);
                    halves[i] = half_sector_of(element, element_bytes);
                }
            },
            pattern);
        for (unsigned i = 0; i < tile; i += group) {
            std::copy_n(sectors.begin() + i, group, of_group.begin());
            demand.sectors += different(of_group);
        }
        demand.requests += tile / warp;
        demand.elements += tile;
        demand.tile_sectors += different(sectors);
        if (in_array) demand.tile_halves += different(halves);
    }
    return demand;
}

}  // namespace cudabook::access_patterns
