// The speed of several workers together, beside the speed of one worker and the ceilings of their devices.
#pragma once

#include <vector>

#include "common/program/report.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/part_run.hpp"

namespace cudabook::heat {

/// Measures each kernel and adds the results to the report. The size of the grid is given by the options. If
/// the options give no size, each kernel is measured at several sizes. Every worker calls this. An interrupt
/// ends the benchmark. Errors: FailedTogether.
void benchmark_in_parts(PartRun& run, const std::vector<Kernel>& kernels, Report& report);

}  // namespace cudabook::heat
