// The vector additions on the GPU: their launches, and the notes of their warps.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// Returns the kernels vector_add1 to vector_add4.
std::vector<Kernel> additions();

}  // namespace cudabook::occupancy
