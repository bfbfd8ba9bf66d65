// A rectangle of a grid's cells.
#pragma once

#include <cstddef>
#include <vector>

namespace cudabook::heat {

/// A rectangle of cells; (x, y) is its first cell, at the lower left.
struct Region {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    bool operator==(const Region&) const = default;
};

/// Calls visit(i) with the index of each cell of a region, row by row, in a grid of `width` cells a row.
template <class Visit>
void for_each_cell(const Region& region, int width, Visit visit) {
    for (int y = region.y; y < region.y + region.height; ++y)
        for (int x = region.x; x < region.x + region.width; ++x)
            visit(static_cast<std::size_t>(x) +
                  static_cast<std::size_t>(y) * static_cast<std::size_t>(width));
}

/// Returns the cells of a region, row-major, from a grid of `width` cells a row.
inline std::vector<float> cells_in(const std::vector<float>& grid, const Region& region, int width) {
    std::vector<float> cells;
    for_each_cell(region, width, [&](std::size_t i) { cells.push_back(grid[i]); });
    return cells;
}

}  // namespace cudabook::heat
