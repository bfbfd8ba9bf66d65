// The CUDA device with which a thread works. A program may consist of sources for nvcc and for the host's
// compiler, which knows no CUDA, and all must define the same functions: so the sources for nvcc say at the
// program's start what to call.
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace cudabook::book {

/// CUDA's calls; null where no source of the program is for nvcc.
struct DeviceCalls {
    int (*get)();
    void (*set)(int device);
};

inline DeviceCalls device_calls{};

/// The device of this thread; 0 where there is none.
inline int device_of_thread() { return device_calls.get ? device_calls.get() : 0; }

/// Makes this thread work with that device. 0 is what every thread starts with, and asks CUDA for nothing.
inline void take_device(int device) {
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
