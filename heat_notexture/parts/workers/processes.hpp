// Workers that are processes, started by mpirun or by a cluster's srun, and connected by MPI.
#pragma once

#include <functional>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Returns whether mpirun or srun has started this process as one of several processes. Returns false for a
/// single process, which runs like any other program. Reads only environment variables.
bool started_by_mpi();

/// Starts MPI, runs `work` on this process's worker, and ends MPI. Returns the exit status of `work`. If a
/// process throws an error, the error becomes a line on stderr that begins with `program`, and all processes
/// end with the error's exit status. Must be called once. A process that may replace itself by another
/// program (exec) must do so before this call. Errors: MachineError in a build without MPI.
ExitStatus run_on_processes(std::string_view program, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
