// What a fetch costs: each kernel's time for one picture, at sizes in the cache and out of it, beside the
// least time that its bytes take a copy of this size, and its fetches the unit.
#pragma once

#include <functional>
#include <vector>

#include "common/program/report.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Adds the ceilings, and for each kernel and size a result. `on_share_done`: 0 to 1.
void benchmark(Report& report, const GpuBackend& gpu, const Device& device,
               const std::vector<Kernel>& kernels, const std::function<void(double)>& on_share_done);

}  // namespace cudabook::texture_unit
