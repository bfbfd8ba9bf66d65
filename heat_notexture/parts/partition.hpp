// How a grid is divided among workers: one part each, in rows or in both directions.
#pragma once

#include <optional>

#include "heat_notexture/border.hpp"
#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// A grid of width × height cells, divided among a number of workers into columns × rows parts, so that the
/// part with the longest borders to others has the shortest ones possible, where a cell beside
/// counts as four; parts differ by at most one row and four columns. Where there are more workers than rows
/// and columns to give out, the last ones have none.
class Partition {
  public:
    /// width, height, workers: at least 1.
    Partition(int width, int height, int workers);

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }

    /// How many workers have a part: 0, 1, ... up to this one.
    [[nodiscard]] int parts() const { return columns_ * rows_; }

    /// The cells of a worker with a part.
    [[nodiscard]] Region part(int worker) const;

    /// The worker beyond that side of a worker's part; nothing at the edge of the grid.
    [[nodiscard]] std::optional<int> neighbour(int worker, Side side) const;

    /// The part and a halo at each side that has a neighbour: `depth` rows, or as many columns rounded up to
    /// a multiple of four, if all of these are the neighbour's.
    [[nodiscard]] Region with_halo(int worker, int depth) const;

    /// The borders of a worker's part with its neighbours', in the coordinates of with_halo().
    [[nodiscard]] Borders borders(int worker, int depth) const;

    /// The greatest depth of a halo whose cells are all a neighbour's: the least side of a part in a
    /// direction that is divided; nothing if none is.
    [[nodiscard]] std::optional<int> deepest_halo() const;

  private:
    [[nodiscard]] int halo_columns(int depth) const;

    int width_;
    int height_;
    int columns_ = 1;
    int rows_ = 1;
};

}  // namespace cudabook::heat
