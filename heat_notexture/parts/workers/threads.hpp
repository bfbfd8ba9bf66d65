// Workers that are threads of this process, one for each of its GPUs, or the only worker of a run.
#pragma once

#include <functional>
#include <memory>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Runs `work` on `count` workers, the first of them in this thread, and waits for all workers. Returns the
/// exit status of the first worker. If `work` throws on one worker, the other workers end when they next wait
/// for a worker. When all workers have ended, this function throws the original error. Errors: the errors of
/// `work`; MachineError if a thread cannot be started.
ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
