// The cost of a fetch: the time of each kernel for one picture, at sizes that fit into the cache and at
// larger sizes. It is compared with the least time: the time to copy as many bytes or, if that is longer,
// the time in which the texture unit performs as many fetches.
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
