// The program occupancy: its command line, and which of its parts it runs.
#pragma once

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// Runs the program with the GPU's kernels, or with none; the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::occupancy
