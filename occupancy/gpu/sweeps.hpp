// Time over occupancy on the GPU: the kernels that are bound by memory and by arithmetic.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// memory_bound and arithmetic_bound.
std::vector<Kernel> sweeps();

/// What fmas reach with enough chains of them in all the threads that the GPU holds, so that nothing is
/// waited for: TFLOP/s. Errors: CudaError, OutOfMemory.
double fma_tflops(const Device& device);

}  // namespace cudabook::occupancy
