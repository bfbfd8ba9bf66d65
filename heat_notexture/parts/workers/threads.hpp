// Workers that are threads of this process, one for each of its GPUs, or the only worker of a run.
#pragma once

#include <functional>
#include <memory>

#include "common/program/errors.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Runs `work` on `count` workers, the first of them in this thread, and waits for all workers. Returns the
/// exit status of the first worker. If `work` throws on some workers only (unlike collectively()), the other
/// workers end when they next wait for a worker. Then this function throws the error. Errors: the errors of
/// `work`.
ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work);

}  // namespace cudabook
