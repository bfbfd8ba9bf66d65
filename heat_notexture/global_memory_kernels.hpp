// The kernels of heat_notexture for a sample that shows them beside its own. This header only declares them:
// heat_notexture/gpu.cu defines the function, and who calls it links heat_notexture_sample.
#pragma once

#include <vector>

#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

/// heat_notexture's kernels in its order, under the names book_global, fused_global, ... The memory of each
/// is `global`, the path by which it reads the grid, wherever it works on the cells then. Only in builds with
/// CUDA.
std::vector<Kernel> global_memory_kernels();

}  // namespace cudabook::heat
