// The memory counts of the kernels of all workers.
#pragma once

#include <string>
#include <vector>

#include "common/program/counts.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// Returns the sums of take_counts() over all workers, on each of them. Every worker calls it after it has
/// launched its last kernel for the result, because workers of one process share their counts.
std::vector<KernelCounts> take_counts_of_all(Worker& worker, const std::string& result);

}  // namespace cudabook::heat
