// Arrays that own their memory: on the device, as a texture reads it there, page-locked on the host, or
// mapped into both.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "common/cuda_error.cuh"
#include "common/memory.hpp"

namespace cudabook {

namespace detail {

/// The bytes of `size` elements. Errors: OutOfMemory, if a number cannot hold them.
template <class T>
std::size_t bytes_of(std::size_t size) {
    if (size <= std::numeric_limits<std::size_t>::max() / sizeof(T)) return size * sizeof(T);
    throw OutOfMemory(fmt::format("out of memory: no memory holds {} elements of {} bytes", size, sizeof(T)));
}

/// Says how much was asked for, and `what_is_free()` that there is, where memory is what lacked.
template <class WhatIsFree>
void check_allocation(cudaError_t code, const char* call, std::size_t bytes, WhatIsFree what_is_free) {
    if (code != cudaErrorMemoryAllocation) {
        check_cuda(code, call);
        return;
    }
    static_cast<void>(cudaGetLastError());
    throw OutOfMemory(fmt::format("out of memory: {} asked for {:.1f} MiB, and {}", call,
                                  static_cast<double>(bytes) / 0x1p20, what_is_free()));
}

inline std::string free_on_device() {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    return fmt::format("{:.1f} of the device's {:.1f} MiB are free", static_cast<double>(free_bytes) / 0x1p20,
                       static_cast<double>(total_bytes) / 0x1p20);
}

inline std::string free_on_host() {
    return fmt::format("{:.1f} MiB of host memory are available",
                       static_cast<double>(available_memory()) / 0x1p20);
}

}  // namespace detail

/// `size` elements of device memory, not initialised. Errors: OutOfMemory.
template <class T>
class DeviceArray {
  public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t size) : size_(size) {
        void* memory = nullptr;
        const std::size_t bytes = detail::bytes_of<T>(size);
        detail::check_allocation(cudaMalloc(&memory, bytes), "cudaMalloc", bytes, detail::free_on_device);
        memory_.reset(static_cast<T*>(memory));
    }
    explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { upload(values); }

    [[nodiscard]] T* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Copies values.size() elements to the beginning.
    void upload(std::span<const T> values) {
        CUDA_CHECK(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] std::vector<T> download() const {
        std::vector<T> values(size_);
        CUDA_CHECK(cudaMemcpy(values.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    struct Free {
        void operator()(T* memory) const { cudaFree(memory); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

/// `size` elements of page-locked host memory, not initialised: copies to and from the device run at full
/// speed and beside other work. Errors: OutOfMemory.
template <class T>
class PinnedArray {
  public:
    explicit PinnedArray(std::size_t size) : PinnedArray(size, cudaHostAllocDefault) {}

    [[nodiscard]] T* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<T> values() const { return {data(), size_}; }

  protected:
    PinnedArray(std::size_t size, unsigned flags) : size_(size) {
        void* memory = nullptr;
        const std::size_t bytes = detail::bytes_of<T>(size);
        detail::check_allocation(cudaHostAlloc(&memory, bytes, flags), "cudaHostAlloc", bytes,
                                 detail::free_on_host);
        memory_.reset(static_cast<T*>(memory));
    }

  private:
    struct Free {
        void operator()(T* memory) const { cudaFreeHost(memory); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

/// Page-locked host memory that kernels read and write in place, over the bus. Errors: OutOfMemory.
template <class T>
class MappedArray : public PinnedArray<T> {
  public:
    explicit MappedArray(std::size_t size) : PinnedArray<T>(size, cudaHostAllocMapped) {
        void* memory = nullptr;
        CUDA_CHECK(cudaHostGetDevicePointer(&memory, this->data(), 0));
        device_data_ = static_cast<T*>(memory);
    }

    /// The same elements, as a kernel addresses them.
    [[nodiscard]] T* device_data() const { return device_data_; }

  private:
    T* device_data_ = nullptr;
};

/// height × width elements of device memory in the layout that two-dimensional textures read best: neighbours
/// in both directions are near. Errors: OutOfMemory.
template <class T>
class TextureArray {
  public:
    TextureArray(std::size_t width, std::size_t height) : width_(width), height_(height) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
        cudaArray_t memory = nullptr;
        detail::check_allocation(cudaMallocArray(&memory, &format, width, height), "cudaMallocArray",
                                 detail::bytes_of<T>(width * height), detail::free_on_device);
        memory_.reset(memory);
    }
    [[nodiscard]] cudaArray_t get() const { return memory_.get(); }

    /// Copies width × height elements, row-major, from the host or the device.
    void copy_from(const T* values) {
        const std::size_t row_bytes = width_ * sizeof(T);
        CUDA_CHECK(
            cudaMemcpy2DToArray(get(), 0, 0, values, row_bytes, row_bytes, height_, cudaMemcpyDefault));
    }

  private:
    struct Free {
        void operator()(cudaArray_t memory) const { cudaFreeArray(memory); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaArray_t>, Free> memory_;
    std::size_t width_;
    std::size_t height_;
};

/// Page-locks host memory that somebody else owns, as long as this lives. Errors: CudaError.
class PageLock {
  public:
    PageLock(void* memory, std::size_t bytes) {
        CUDA_CHECK(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
        memory_.reset(memory);
    }
    [[nodiscard]] const void* data() const { return memory_.get(); }

  private:
    struct Unlock {
        void operator()(void* memory) const { cudaHostUnregister(memory); }
    };
    std::unique_ptr<void, Unlock> memory_;
};

}  // namespace cudabook
