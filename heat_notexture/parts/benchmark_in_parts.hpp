// How fast several workers are together, beside one of them and beside the ceilings of their devices.
#pragma once

#include <vector>

#include "common/program/report.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/part_run.hpp"

namespace cudabook::heat {

/// Adds a result for each kernel and size to the report: at all sizes, or at the one that the options give.
/// Every worker calls it; an interrupt ends it. Errors: FailedTogether.
void benchmark_in_parts(PartRun& run, const std::vector<Kernel>& kernels, Report& report);

}  // namespace cudabook::heat
