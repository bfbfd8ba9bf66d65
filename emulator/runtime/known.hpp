// The part of the emulated GPU's state that the templates of the runtime API need; device.hpp has the rest.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// Returns the value that an API function must return if its result is `error`. Sets this thread's last error
/// unless `error` is cudaSuccess. If a kernel has failed on the current GPU, returns the kernel's error
/// instead, in every call until the GPU is reset.
cudaError_t result(cudaError_t error);

/// For the checks: warns of a cudaMemset() with a value from 1 to 31, which seems to be meant for a whole
/// element, not for each byte. `element_bytes` is the size of the array's elements.
void check_fill(std::size_t element_bytes, int value);

/// Registers host memory as memory of the GPU: a __constant__ or __device__ variable, or a mapped buffer.
void make_known(const void* memory, std::size_t bytes);

/// Stands for a wrong argument of a call that needs a __constant__ or __device__ variable. The wrong argument
/// is a variable of the host, or a string with a variable's name. The translator replaces the argument by
/// this object.
struct NoSymbol {
    const char* name;
};

/// Returns cudaErrorInvalidSymbol, as CUDA's runtime does for a wrong symbol. cudaGetErrorString() then tells
/// the reason.
cudaError_t refuse_symbol(const NoSymbol& symbol);

/// Returns the address `offset` bytes behind the begin of a __constant__ or __device__ variable.
template <class T>
void* place_in_symbol(const T& symbol, std::size_t offset) {
    make_known(&symbol, sizeof symbol);
    return reinterpret_cast<char*>(const_cast<T*>(&symbol)) + offset;
}

}  // namespace cudabook::emulation
