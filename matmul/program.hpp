// The program matmul: its command line, and the report of a run.
#pragma once

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::matmul
