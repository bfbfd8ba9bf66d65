// The contexts of the driver API, and the current context of each host thread. A context only selects a GPU.
#pragma once

#include <cuda.h>

#include <set>

/// A context of a GPU. Each GPU has a primary context, which the runtime API uses.
struct CUctx_st {
    int device;
    bool is_primary = false;
    unsigned flags = 0;
    std::set<CUdeviceptr> memory = {};  ///< the memory that cuCtxDestroy() frees
};

namespace cudabook::emulation {

/// Makes the current GPU's primary context current if no context is current. Calls of the runtime API that
/// use a GPU call this.
void use_primary_context();

/// Replaces the current context by the current GPU's primary context. cudaSetDevice() calls this.
void choose_primary_context();

/// Notes that the runtime API no longer uses the current GPU's primary context. cudaDeviceReset() calls this.
void leave_primary_context();

/// Returns the context that is current in this thread, or null.
CUcontext current_context();

/// Notes that the current context owns this memory.
void own_memory(CUdeviceptr memory);
/// Notes that the memory is freed.
void disown_memory(CUdeviceptr memory);
/// Returns the context that owns the memory or, if none does, the primary context of this device.
CUcontext owner_of(CUdeviceptr memory, int device);

/// Returns CUDA_SUCCESS if a context is current in this thread. Otherwise returns the error of calls that
/// need a context.
CUresult why_no_context();

/// Returns the driver API's error that corresponds to an error of the runtime API.
CUresult driver_error(cudaError_t error);

}  // namespace cudabook::emulation
