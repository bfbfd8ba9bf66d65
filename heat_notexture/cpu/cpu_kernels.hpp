// The CPU's rows of the table of kernels, the same in heat and heat_notexture.
#pragma once

#include <vector>

#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

std::vector<Kernel> cpu_kernels();

/// Returns the whole kernel table of a sample: `kernels`, its kernels for GPUs, and the kernels of the CPU.
std::vector<Kernel> with_cpu_kernels(std::vector<Kernel> kernels);

}  // namespace cudabook::heat
