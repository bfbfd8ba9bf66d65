// A part of a grid that may be larger than the host's memory, a piece at a time.
#pragma once

#include <functional>
#include <span>

#include "common/heat/region.hpp"

namespace cudabook::heat {

/// Calls visit(band, cells) with some whole rows of a region at a time, from the first to the last, and
/// memory for their cells: at most 16 MiB, or one row.
void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit);

}  // namespace cudabook::heat
