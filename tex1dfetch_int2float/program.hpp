// The program tex1dfetch_int2float: its command line, the comparison, and the report of a run.
#pragma once

#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {

/// Runs the program with the GPU's kernels, if there are any, and returns the exit status.
int program(const GpuBackend& gpu, int argc, const char* const* argv);

}  // namespace cudabook::tex1dfetch_int2float
