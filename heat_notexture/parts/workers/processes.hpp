// Workers that are processes, which mpirun or a cluster's srun has started: MPI.
#pragma once

#include <functional>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Whether this process was started as one of several that are to work together; one that mpirun or srun has
/// started alone is a program like any other. Asks the environment only.
bool started_by_mpi();

/// Runs `work` on this process's worker, between the start and the end of MPI, and returns its exit status.
/// Errors of one process become its line on stderr, begun with `program`, and end all with that exit status.
/// To be called once, after everything that may replace this program. Errors: MachineError, in a build
/// without MPI.
ExitStatus run_on_processes(std::string_view program, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
