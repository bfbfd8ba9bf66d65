// What the kernels of all workers asked of memory.
#pragma once

#include <string>
#include <vector>

#include "common/program/counts.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// take_counts() of all workers, put together, on each of them. Every worker calls it, when it has launched
/// its last kernel for the result: workers of one process have their counts in common.
std::vector<KernelCounts> take_counts_of_all(Worker& worker, const std::string& result);

}  // namespace cudabook::heat
