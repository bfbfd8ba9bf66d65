// The parts of streams and their captures that other API functions need.
#pragma once

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// A call that waits for work on the GPU calls this first. Returns cudaSuccess. If this thread is capturing a
/// stream in a mode that forbids to wait, makes the capture invalid and returns CUDA's error for this case.
cudaError_t synchronous();

/// Waits until the stream's work is done, and returns the work's error. Returns `enqueued`, the result of
/// enqueue(), without waiting if it is an error or if the stream is being captured.
cudaError_t when_done(cudaError_t enqueued, cudaStream_t stream);

/// Makes the capture of the stream, if any, invalid. Call this after a refused launch.
void invalidate_capture(cudaStream_t stream);

/// Returns whether the stream is being captured.
bool is_captured(cudaStream_t stream);

}  // namespace cudabook::emulation
