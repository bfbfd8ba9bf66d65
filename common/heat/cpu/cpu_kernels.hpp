// The CPU's rows of the table of kernels, the same in heat and heat_notexture.
#pragma once

#include <vector>

#include "common/heat/kernel.hpp"

namespace cudabook::heat {

std::vector<Kernel> cpu_kernels();

}  // namespace cudabook::heat
