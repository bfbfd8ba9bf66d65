// Runs by several workers or with a checkpoint: from the options to the exit status.
#pragma once

#include <string>

#include "common/program/errors.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Returns whether the run needs run_in_parts(): mpirun or srun has started several processes, or the options
/// name several devices or a checkpoint.
bool is_in_parts(const Options& options);

/// Heats the grid on all workers, compares its checksum with the checksum that the CPU cores of all workers
/// compute, and reports. Errors: UsageError, MachineError, FailedTogether.
ExitStatus run_in_parts(const std::string& name, const GpuBackend& gpu, const Options& options);

}  // namespace cudabook::heat
