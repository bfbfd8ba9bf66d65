// --benchmark: checks each kernel, then times it and compares it with its ceiling.
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

/// Measures the kernels within a minute, at the sizes of the lecture page or at the size that the command
/// line gives. Adds a result for each kernel, size and launch mode. `ms` is the median time of a frame's
/// steps, and `ms_per_frame` is the median time of a frame whose picture is copied to the host.
/// For a GPU's default kernel, also measures frames in succession, where the next frame's steps are done
/// while a picture is copied: `ms_per_frame_in_steady_run` is the time of such a frame, and
/// `ms_of_copy_to_host` is the time of the copy of one picture alone. If there is a display, also measures
/// frames in a hidden window.
/// Leaves out kernels that are too slow for the time limit. Leaves out sizes that need more than `memory`
/// bytes of host memory, unless the command line gives the size. Errors: MachineError.
void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
               const GpuBackend& gpu, const Options& options, std::size_t memory = available_memory());

}  // namespace cudabook::heat
