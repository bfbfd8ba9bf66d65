// Workers that are threads of this process: one for each of its GPUs. Alone, the only worker of a run.
#pragma once

#include <functional>
#include <memory>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Runs `work` on `count` workers, the first of them in this thread, and waits for all. Returns the exit
/// status of the first. An error that is not everyone's (see collectively()) ends the others where they next
/// wait for a worker; then it is thrown here. Errors: those of `work`.
ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
