// The cells of a divided grid, some rows at a time, for its checksum, its pictures and its files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "common/numbers/crc32.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/worker.hpp"
#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// Divides a region into bands of whole rows and calls visit(band, cells) for each band, in order. `cells` is
/// scratch memory for the cells of the band. A band takes at most 16 MiB, or is a single row if a row takes
/// more. Bands are needed because a part may be larger than host memory.
void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit);

/// The checksum of a divided grid. Each worker computes the checksum of its own part and sends only this
/// number to the other workers.
class GridChecksum {
  public:
    GridChecksum(const Worker& worker, const Partition& partition);

    /// Adds the next rows of the worker's part, row-major.
    void add(std::span<const float> cells);

    /// Returns the grid's checksum. Every worker calls this after it has added all rows of its part.
    std::uint32_t of_all(Worker& worker) const;

  private:
    Crc32Append append_row_;
    std::size_t columns_ = 0;       ///< the columns of the part
    std::size_t cells_behind_ = 0;  ///< the cells that follow the part's last cell in the row-major grid
    std::uint32_t own_ = 0;         ///< the checksum of the part's rows added so far
};

/// Returns the checksum of the grid, on every worker. part: null if the worker has no part.
std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
