// Captures, as far as other calls must know of them.
#pragma once

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// For a call that waits for work on the GPU: cudaSuccess or, while this thread captures a stream, the error
/// that CUDA gives; the capture is then invalid.
cudaError_t synchronous();

/// After a launch that was refused: the capture that it would have become a part of, if any, is invalid.
void invalidate_capture(cudaStream_t stream);

}  // namespace cudabook::emulation
