// The program texture_unit: its command line, the lessons, and the report of a run.
#pragma once

#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::texture_unit
