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

/// Calls visit(band, cells) with some whole rows of a region at a time, from the first to the last, and
/// memory for their cells: at most 16 MiB, or one row. A part may be larger than the host's memory.
void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit);

/// The checksum of a grid, which each worker computes of its own part's rows. A few bytes are all that it
/// tells the others, however many rows there are.
class GridChecksum {
  public:
    GridChecksum(const Worker& worker, const Partition& partition);

    /// The part's next rows.
    void add(std::span<const float> cells);

    /// The grid's, once all workers have added all their rows. Every worker calls it.
    std::uint32_t of_all(Worker& worker) const;

  private:
    Crc32Append append_row_;
    std::size_t columns_ = 0;       ///< of the part
    std::size_t cells_behind_ = 0;  ///< cells of the grid that follow the part's last one
    std::uint32_t own_ = 0;         ///< of the rows so far, at the end of the last one
};

/// The checksum of the grid, on every worker. `part`: null where the worker has none.
std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
