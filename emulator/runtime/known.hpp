// What the templates of the runtime API need of the emulated GPU's state; device.hpp has the rest.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// What an API function returns: makes an error this thread's last error. If a kernel has failed, that error
/// lasts and is returned instead of success.
cudaError_t result(cudaError_t error);

/// Makes memory of the host known as memory of the GPU: a __constant__ or __device__ variable, a mapped
/// buffer.
void make_known(const void* memory, std::size_t bytes);

}  // namespace cudabook::emulation
