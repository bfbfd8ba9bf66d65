// The part of stream capture that other API functions need.
#pragma once

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// For a call that waits for work on the GPU. Returns cudaSuccess. If this thread captures a stream, returns
/// CUDA's error for that and makes the capture invalid.
cudaError_t synchronous();

/// For a call that has enqueued work and waits for it. `enqueued` is enqueue()'s result. Returns the error of
/// the stream's work, once that is done; at once if the stream is being captured.
cudaError_t when_done(cudaError_t enqueued, cudaStream_t stream);

/// Makes the capture of the stream, if any, invalid. Call this after a refused launch.
void invalidate_capture(cudaStream_t stream);

/// Returns whether the stream is being captured.
bool is_captured(cudaStream_t stream);

}  // namespace cudabook::emulation
