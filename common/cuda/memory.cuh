// Device memory, freed by its owner. C++17.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include "error.cuh"

namespace cudabook {

namespace detail {

/// The bytes of `size` elements. Errors: OutOfMemory on overflow.
template <class T>
std::size_t bytes_of(std::size_t size) {
    if (size <= std::numeric_limits<std::size_t>::max() / sizeof(T)) return size * sizeof(T);
    throw OutOfMemory("out of memory: no memory holds " + std::to_string(size) + " elements of " +
                      std::to_string(sizeof(T)) + " bytes");
}

/// Bytes as MiB, with one decimal place.
inline std::string in_mib(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / 0x1p20);
    return text;
}

/// Checks an allocation. The message of OutOfMemory says how many `bytes` were requested and, from
/// what_is_free(), how many are free. Errors: OutOfMemory, CudaError.
template <class WhatIsFree>
void check_allocation(cudaError_t code, const char* call, std::size_t bytes, WhatIsFree what_is_free) {
    if (code != cudaErrorMemoryAllocation) {
        check_cuda(code, call, __FILE__, __LINE__);
        return;
    }
    static_cast<void>(cudaGetLastError());
    throw OutOfMemory(std::string("out of memory: ") + call + " asked for " + in_mib(bytes) + " MiB, and " +
                      what_is_free());
}

inline std::string free_on_device() {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    return in_mib(free_bytes) + " of the device's " + in_mib(total_bytes) + " MiB are free";
}

}  // namespace detail

/// `size` elements of uninitialised device memory. Errors: OutOfMemory.
template <class T>
class DeviceMemory {
  public:
    DeviceMemory() = default;
    explicit DeviceMemory(std::size_t size) : size_(size) {
        void* memory = nullptr;
        const std::size_t bytes = detail::bytes_of<T>(size);
        detail::check_allocation(cudaMalloc(&memory, bytes), "cudaMalloc", bytes, detail::free_on_device);
        memory_.reset(static_cast<T*>(memory));
    }

    [[nodiscard]] T* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(T* memory) const { cudaFree(memory); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

}  // namespace cudabook
