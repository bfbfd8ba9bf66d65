// The program access_patterns: its command line.
#pragma once

#include "access_patterns/access_patterns.hpp"

namespace cudabook::access_patterns {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::access_patterns
