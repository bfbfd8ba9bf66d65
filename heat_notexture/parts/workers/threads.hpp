// Workers that are threads of this process, one for each of its GPUs, or the only worker of a run.
#pragma once

#include <functional>
#include <memory>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Runs `work` on `count` workers, the first of them in this thread, and waits for all. Returns the exit
/// status of the first worker. An error that is not thrown on all workers (see collectively()) ends each of
/// the others where it next waits for a worker; then the error is thrown here. Errors: the errors of `work`.
ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
