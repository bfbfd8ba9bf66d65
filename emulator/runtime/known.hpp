// The part of the emulated GPU's state that the templates of the runtime API need; device.hpp has the rest.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// Returns the value that an API function is to return, and makes an error this thread's last error. If a
/// kernel has failed, returns the kernel's error instead, which lasts.
cudaError_t result(cudaError_t error);

/// For the checks: warns of a fill of an array whose elements have `element_bytes` bytes if the value seems
/// to be meant for an element, not for a byte: from 1 to 31.
void check_fill(std::size_t element_bytes, int value);

/// Registers host memory as memory of the GPU: a __constant__ or __device__ variable, or a mapped buffer.
void make_known(const void* memory, std::size_t bytes);

/// A wrong argument of a call that needs a __constant__ or __device__ variable: a variable of the host, or
/// a string with a name. The translator puts this object in the argument's place.
struct NoSymbol {
    const char* name;
};

/// Returns cudaErrorInvalidSymbol, as CUDA's runtime does for such a call, and keeps the reason.
cudaError_t refuse_symbol(const NoSymbol& symbol);

/// Returns the address `offset` bytes behind the begin of a __constant__ or __device__ variable.
template <class T>
void* place_in_symbol(const T& symbol, std::size_t offset) {
    make_known(&symbol, sizeof symbol);
    return reinterpret_cast<char*>(const_cast<T*>(&symbol)) + offset;
}

}  // namespace cudabook::emulation
