// --benchmark: each kernel checked, then timed, beside what limits it.
#pragma once

#include <cstddef>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/memory.hpp"
#include "common/program/report.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Measures the kernels at the sizes of the lecture page within a minute, or at the one that the command line
/// names, and adds a result for each kernel, size and way to launch. `ms` is the median for the steps of a
/// frame, `ms_per_frame` that for a frame whose picture comes to the host. A GPU's default kernel also has
/// frames follow one another, the next one's steps done while a picture travels
/// (`ms_per_frame_in_steady_run`, beside `ms_of_copy_to_host` of one picture alone), and where there is a
/// display, it shows its frames in a hidden window. Kernels that are too slow for the time are left out,
/// unless the size is named; so are sizes that need more of the host's memory than these bytes. Errors:
/// MachineError.
void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
               const GpuBackend& gpu, const Options& options, std::size_t memory = available_memory());

}  // namespace cudabook::heat
