// The heat room that reads through textures.
#pragma once

#include "common/heat/solver.hpp"

namespace cudabook::heat_texture {

/// The GPUs and the kernels for them; defined in gpu.cu, where the build has CUDA.
heat::GpuBackend gpu();

}  // namespace cudabook::heat_texture
