// The sample heat_notexture: the grid is read through global memory.
#pragma once

#include "heat_notexture/gpu_backend.hpp"

namespace cudabook::heat_notexture {

/// The GPUs and the kernels for them; defined in gpu.cu, where the build has CUDA.
heat::GpuBackend gpu();

}  // namespace cudabook::heat_notexture
