// The parts of streams and their captures that other API functions need.
#pragma once

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// Returns whether this thread may wait for work on the GPU; each call that waits calls this first. If this
/// thread is capturing a stream in a mode that forbids waiting, makes the capture invalid and returns CUDA's
/// error for this case. Otherwise returns cudaSuccess.
cudaError_t synchronous();

/// Waits until the stream's work is done, and returns the work's error. `enqueued` is the result of
/// enqueue(). If `enqueued` is an error, or if the stream is being captured, does not wait and returns
/// `enqueued`.
cudaError_t when_done(cudaError_t enqueued, cudaStream_t stream);

/// If the stream is being captured, makes the capture invalid. Call this after a refused launch.
void invalidate_capture(cudaStream_t stream);

/// Returns whether the stream is being captured.
bool is_captured(cudaStream_t stream);

}  // namespace cudabook::emulation
