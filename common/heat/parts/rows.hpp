// The cells of a divided grid, some rows at a time, for its checksum, its pictures and its files.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/heat/parts/part_solver.hpp"
#include "common/heat/parts/partition.hpp"
#include "common/heat/region.hpp"
#include "common/workers/worker.hpp"

namespace cudabook::heat {

/// Calls visit(band, cells) with some whole rows of a region at a time, from the first to the last, and
/// memory for their cells: at most 16 MiB, or one row. A part may be larger than the host's memory.
void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit);

/// Puts the checksums of the rows of all parts together. Every worker calls it, with those of its part, and
/// gets the checksum of the grid.
std::uint32_t checksum_of_rows(Worker& worker, const Partition& partition,
                               const std::vector<std::uint32_t>& rows);

/// Adds the checksums of rows of `width` cells.
void add_checksums(std::vector<std::uint32_t>& rows, std::span<const float> cells, int width);

/// The checksum of the grid, on every worker. `part`: null where the worker has none.
std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
