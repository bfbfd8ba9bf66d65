// The speed of several workers together, beside the speed of one worker and the ceilings of their devices.
#pragma once

#include <vector>

#include "common/program/report.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/part_run.hpp"

namespace cudabook::heat {

/// Adds a result for each kernel and size to the report: at all sizes, or at the size that the options give.
/// Every worker calls it. An interrupt ends the benchmark. Errors: FailedTogether.
void benchmark_in_parts(PartRun& run, const std::vector<Kernel>& kernels, Report& report);

}  // namespace cudabook::heat
