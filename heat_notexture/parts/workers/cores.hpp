// How the workers of a machine share its cores.
#pragma once

#include <string>

#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// Returns the cores that this process may run on, as Linux lists them ("0-7,16"), or an empty string if
/// unknown.
std::string cores_allowed();

/// Counts the workers on this worker's machine, including this worker, that pass the same `cores`. Every
/// worker calls this.
int workers_with(Worker& worker, const std::string& cores);

}  // namespace cudabook
