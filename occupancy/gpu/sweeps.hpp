// Time over occupancy on the GPU: a memory-bound and an arithmetic-bound kernel.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// Returns the kernels memory_bound and arithmetic_bound.
std::vector<Kernel> sweeps();

/// Measures the highest rate of fmas in TFLOP/s. The GPU is full of threads, and each thread has several
/// independent chains of fmas, which hide the latency. Errors: CudaError, OutOfMemory.
double fma_tflops(const Device& device);

}  // namespace cudabook::occupancy
