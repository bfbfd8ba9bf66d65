// The CPU kernels in the kernel table. They are the same in heat and heat_notexture.
#pragma once

#include <vector>

#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

std::vector<Kernel> cpu_kernels();

/// Returns the whole kernel table of a sample: `kernels`, which are the GPU kernels, then the CPU kernels.
std::vector<Kernel> with_cpu_kernels(std::vector<Kernel> kernels);

}  // namespace cudabook::heat
