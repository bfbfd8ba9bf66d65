// The memory counts of the kernels of all workers.
#pragma once

#include <string>
#include <vector>

#include "common/program/counts.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// Adds up take_counts() over all workers, and returns the sums to every worker. Every worker calls this
/// after it has launched its last kernel for the result. The counts are taken only after all workers have
/// called this, because the workers of one process share their counts.
std::vector<KernelCounts> take_counts_of_all(Worker& worker, const std::string& result);

}  // namespace cudabook::heat
