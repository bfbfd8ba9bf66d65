// The program occupancy: its command line, and the choice of the part that runs.
#pragma once

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::occupancy
