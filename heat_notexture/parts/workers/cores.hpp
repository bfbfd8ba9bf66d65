// How the workers of a machine share its cores.
#pragma once

#include <string>

#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

/// The cores that this process may run on, as Linux lists them ("0-7,16"); empty where nobody says.
std::string cores_allowed();

/// How many workers of this one's machine, itself among them, say the same `cores`. Every worker calls it.
int workers_with(Worker& worker, const std::string& cores);

}  // namespace cudabook
