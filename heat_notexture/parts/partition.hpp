// How a grid is divided among workers: one part each, in rows or in both directions.
#pragma once

#include <optional>

#include "heat_notexture/border.hpp"
#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// A grid of width × height cells, divided into columns × rows parts. There are as many parts as possible, at
/// most one for each worker. If several divisions have that many parts, the division with the least cost is
/// chosen. The cost is the number of border cells of the part with the most border cells; a cell at the left
/// or right counts as four. Parts differ by at most one row and four columns. If there are more workers than
/// parts, the last workers have no part.
class Partition {
  public:
    /// width, height, workers: at least 1.
    Partition(int width, int height, int workers);

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }

    /// The number of parts. Workers 0 to parts() - 1 have a part.
    [[nodiscard]] int parts() const { return columns_ * rows_; }

    /// Returns the cells of a worker's part; the worker must have a part.
    [[nodiscard]] Region part(int worker) const;

    /// Returns the worker whose part adjoins the given side of a worker's part, or nullopt at the edge of the
    /// grid.
    [[nodiscard]] std::optional<int> neighbour(int worker, Side side) const;

    /// Returns a worker's part with a halo at each side that has a neighbour. A halo at the bottom or top has
    /// `depth` rows. A halo at the left or right has `depth` columns, rounded up to a multiple of four, but
    /// at most as many columns as the narrowest part.
    [[nodiscard]] Region with_halo(int worker, int depth) const;

    /// Returns the borders between a worker's part and its neighbours' parts, in the coordinates of the
    /// region with_halo().
    [[nodiscard]] Borders borders(int worker, int depth) const;

    /// Returns the greatest depth at which all cells of a halo belong to one neighbour: the least height of a
    /// part if there are several rows, the least width if there are several columns, or the lesser of both.
    /// Returns nullopt if the grid is not divided.
    [[nodiscard]] std::optional<int> deepest_halo() const;

  private:
    [[nodiscard]] int halo_columns(int depth) const;

    int width_;
    int height_;
    int columns_ = 1;
    int rows_ = 1;
};

}  // namespace cudabook::heat
