// How fast several workers are together, beside one of them and beside the ceilings of their devices.
#pragma once

#include <vector>

#include "common/heat/kernel.hpp"
#include "common/heat/parts/part_run.hpp"
#include "common/program/report.hpp"

namespace cudabook::heat {

/// Adds a result for each kernel and size to the report: at all sizes, or at the one that the options give.
/// Every worker calls it; an interrupt ends it. Errors: FailedTogether.
void benchmark_in_parts(PartRun& run, const std::vector<Kernel>& kernels, Report& report);

}  // namespace cudabook::heat
