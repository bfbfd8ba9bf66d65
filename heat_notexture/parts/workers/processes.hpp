// Workers that are processes, which mpirun or a cluster's srun has started and MPI connects.
#pragma once

#include <functional>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Returns whether this process was started as one of several processes that work together. A single process
/// that mpirun or srun has started runs like any other program. Reads only the environment.
bool started_by_mpi();

/// Starts MPI, runs `work` on this process's worker, and ends MPI. Returns the exit status of `work`. If a
/// process throws an error, the error becomes a line on stderr that begins with `program`, and all processes
/// end with the error's exit status. Must be called once. Anything that may replace this program must be done
/// before this call. Errors: MachineError in a build without MPI.
ExitStatus run_on_processes(std::string_view program, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
