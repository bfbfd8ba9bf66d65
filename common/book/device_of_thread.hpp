// The current CUDA device of a thread. In one program, nvcc may compile some sources, and a host compiler
// without CUDA the others. All sources must define the same inline functions, so these functions call CUDA
// through function pointers, which the sources for nvcc set at program start.
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace cudabook::book {

/// The functions that call CUDA; null if nvcc compiled no source of the program.
struct DeviceCalls {
    int (*get)();
    void (*set)(int device);
};

inline DeviceCalls device_calls{};

/// Returns the current device of this thread, or 0 if there is none.
inline int device_of_thread() { return device_calls.get ? device_calls.get() : 0; }

/// Makes `device` current in the calling thread. Device 0 is every thread's default, so it needs no CUDA
/// call.
inline void set_device_of_thread(int device) {
    if (device != 0 && device_calls.set) device_calls.set(device);
}

#ifdef __CUDACC__
namespace {
[[maybe_unused]] const bool device_calls_known = [] {
    device_calls.get = [] {
        int device = 0;
        if (cudaGetDevice(&device) == cudaSuccess) return device;
        static_cast<void>(cudaGetLastError());
        return 0;
    };
    device_calls.set = [](int device) { cudaSetDevice(device); };
    return true;
}();
}  // namespace
#endif

}  // namespace cudabook::book
