// The sample heat_notexture: the grid is read through global memory.
#pragma once

#include "heat_notexture/gpu_backend.hpp"

namespace cudabook::heat_notexture {

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
heat::GpuBackend gpu();

}  // namespace cudabook::heat_notexture
