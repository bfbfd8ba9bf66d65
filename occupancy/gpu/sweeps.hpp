// Time over occupancy on the GPU: a memory-bound and an arithmetic-bound kernel.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// The kernels memory_bound and arithmetic_bound.
std::vector<Kernel> sweeps();

/// The highest rate of fmas in TFLOP/s, with enough chains in each thread and all the threads that the GPU
/// holds, so that no latency is exposed. Errors: CudaError, OutOfMemory.
double fma_tflops(const Device& device);

}  // namespace cudabook::occupancy
