// How a grid is divided among workers: one part each, in rows or in both directions.
#pragma once

#include <optional>

#include "heat_notexture/border.hpp"
#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// A grid of width × height cells, divided into columns × rows parts: as many as possible, at most one for
/// each worker. The borders of the part with the longest borders are as short as possible, where a cell at
/// the left or right counts as four. Parts differ by at most one row and four columns. If there are more
/// workers than parts, the last workers have none.
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

    /// Returns the worker beyond a side of a worker's part, or nullopt at the edge of the grid.
    [[nodiscard]] std::optional<int> neighbour(int worker, Side side) const;

    /// Returns the part with a halo at each side that has a neighbour: `depth` rows, or `depth` columns
    /// rounded up to a multiple of four, but at most as many columns as the narrowest part has.
    [[nodiscard]] Region with_halo(int worker, int depth) const;

    /// The borders of a worker's part with its neighbours', in the coordinates of with_halo().
    [[nodiscard]] Borders borders(int worker, int depth) const;

    /// Returns the greatest depth of a halo whose cells all belong to one neighbour: the shortest side of a
    /// part in a divided direction. Returns nullopt if no direction is divided.
    [[nodiscard]] std::optional<int> deepest_halo() const;

  private:
    [[nodiscard]] int halo_columns(int depth) const;

    int width_;
    int height_;
    int columns_ = 1;
    int rows_ = 1;
};

}  // namespace cudabook::heat
