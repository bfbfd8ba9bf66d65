// The part of the emulated GPU's state that the templates of the runtime API need; device.hpp has the rest.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// Returns the value that an API function returns, and makes an error this thread's last error. If a kernel
/// has failed, its error lasts and is returned instead.
cudaError_t result(cudaError_t error);

/// Registers host memory as memory of the GPU: a __constant__ or __device__ variable, or a mapped buffer.
void make_known(const void* memory, std::size_t bytes);

}  // namespace cudabook::emulation
