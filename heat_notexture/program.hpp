// The program of heat and of heat_notexture: from the command line to the exit status.
#pragma once

#include <string>

#include "heat_notexture/gpu_backend.hpp"

namespace cudabook::heat {

/// Runs the program `name` with the kernels of `gpu` and of the CPU; `what` is its description for --help, in
/// one line. Returns the exit status. An error becomes one line on stderr.
int program(const std::string& name, const std::string& what, const GpuBackend& gpu, int argc,
            const char* const* argv);

}  // namespace cudabook::heat
