// The vector additions on the GPU: their launches, and what their warps noted.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// vector_add1 to vector_add4.
std::vector<Kernel> additions();

}  // namespace cudabook::occupancy
