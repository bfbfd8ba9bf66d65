// Measures each kernel's time for one picture, with textures that fit into the cache and with larger
// textures. Compares the time with the shortest possible time: the time to copy as many bytes or, if longer,
// the time that the texture unit needs for as many fetches.
#pragma once

#include <functional>
#include <vector>

#include "common/program/report.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Adds the ceilings to the report, and a result for each kernel and size. Calls `on_share_done` repeatedly
/// with the share of the work that is done, from 0 to 1.
void benchmark(Report& report, const GpuBackend& gpu, const Device& device,
               const std::vector<Kernel>& kernels, const std::function<void(double)>& on_share_done);

}  // namespace cudabook::texture_unit
