// The cost of a fetch: each kernel's time for one picture, at sizes in the cache and beyond it, compared with
// the least time: the time of a copy of as many bytes or, if longer, of the unit for as many fetches.
#pragma once

#include <functional>
#include <vector>

#include "common/program/report.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Adds the ceilings to the report, and a result for each kernel and size. Calls `on_share_done` with the
/// share of the work that is done, from 0 to 1.
void benchmark(Report& report, const GpuBackend& gpu, const Device& device,
               const std::vector<Kernel>& kernels, const std::function<void(double)>& on_share_done);

}  // namespace cudabook::texture_unit
