// Captures, as far as other calls must know of them.
#pragma once

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// For a call that waits for work on the GPU: cudaSuccess or, while this thread captures a stream, the error
/// that CUDA gives; the capture is then invalid.
cudaError_t synchronous();

}  // namespace cudabook::emulation
