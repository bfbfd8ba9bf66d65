// The wait at the beginning of a kernel that launch_overlapped() launches (launch.cuh).
#pragma once

#include <cuda_runtime.h>

namespace cudabook {

/// A kernel that may be launched by launch_overlapped() calls this function before it touches memory that
/// other kernels use. Waits until the previous launch has ended and its writes are visible, then lets the
/// next launch be set up. The order matters: setting up the next launch invalidates the texture caches, and
/// the previous launch must not refill them afterwards. Does nothing in a launch that does not overlap.
__device__ inline void await_previous_launch() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace cudabook
