// The program tex1dfetch_big: its command line, the book's lines, and the report of a run.
#pragma once

#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::tex1dfetch_big
