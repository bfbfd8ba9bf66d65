// Workers that are processes, which mpirun or a cluster's srun has started and MPI connects.
#pragma once

#include <functional>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Returns whether this process was started as one of several processes that work together. A single process
/// that mpirun or srun has started runs like any other program. Reads only the environment.
bool started_by_mpi();

/// Runs `work` on this process's worker, between the start and the end of MPI, and returns the exit status of
/// `work`. An error of one process becomes a line on stderr, which begins with `program`, and ends all
/// processes with the exit status of the error. Must be called once, after everything that may replace this
/// program. Errors: MachineError in a build without MPI.
ExitStatus run_on_processes(std::string_view program, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
