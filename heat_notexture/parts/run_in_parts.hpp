// Runs that several workers share, or that are kept in a file: from the chosen options to the exit status.
#pragma once

#include <string>

#include "common/program/errors.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Whether this is such a run: mpirun has started several processes, or the options name several devices or a
/// checkpoint.
bool is_in_parts(const Options& options);

/// Heats the grid by all workers, compares its checksum with that of the CPU's cores of all workers, and
/// reports. Errors: UsageError, MachineError, FailedTogether.
ExitStatus run_in_parts(const std::string& name, const GpuBackend& gpu, const Options& options);

}  // namespace cudabook::heat
