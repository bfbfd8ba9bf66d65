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

/// Calls visit(band, cells) for bands of whole rows of a region, from the first band to the last. `cells` is
/// memory for the cells of the band. A band has one row or at most 16 MiB, because a part may be larger than
/// host memory.
void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit);

/// The checksum of a grid. Each worker computes the checksum of its own part's rows and sends only a few
/// bytes to the other workers, however many rows there are.
class GridChecksum {
  public:
    GridChecksum(const Worker& worker, const Partition& partition);

    /// Adds the part's next rows.
    void add(std::span<const float> cells);

    /// Returns the grid's checksum, once all workers have added all their rows. Every worker calls it.
    std::uint32_t of_all(Worker& worker) const;

  private:
    Crc32Append append_row_;
    std::size_t columns_ = 0;       ///< the columns of the part
    std::size_t cells_behind_ = 0;  ///< the cells of the grid after the part's last cell
    std::uint32_t own_ = 0;         ///< the checksum of the part's rows added so far
};

/// Returns the checksum of the grid, on every worker. part: null if the worker has no part.
std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
