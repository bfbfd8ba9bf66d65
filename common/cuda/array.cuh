// Arrays that own their memory: device memory, page-locked host memory and mapped host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "common/cuda/error.cuh"
#include "common/cuda/memory.cuh"
#include "common/program/memory.hpp"

namespace cudabook {

namespace detail {

inline std::string free_on_host() { return in_mib(available_memory()) + " MiB of host memory are available"; }

}  // namespace detail

/// `size` elements of uninitialised device memory, with copies to and from the host. Errors: OutOfMemory.
template <class T>
class DeviceArray : public DeviceMemory<T> {
  public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t size) : DeviceMemory<T>(size) {}
    explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { upload(values); }

    /// Copies all of `values` to the beginning of the array.
    void upload(std::span<const T> values) {
        CUDA_CHECK(cudaMemcpy(this->data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] std::vector<T> download() const {
        std::vector<T> values(this->size());
        CUDA_CHECK(cudaMemcpy(values.data(), this->data(), this->size() * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};

/// `size` elements of uninitialised page-locked host memory: copies to and from the device run at full speed
/// and can overlap other work. Errors: OutOfMemory.
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

/// Page-locked host memory that kernels access in place, over the bus. Errors: OutOfMemory.
template <class T>
class MappedArray : public PinnedArray<T> {
  public:
    explicit MappedArray(std::size_t size) : PinnedArray<T>(size, cudaHostAllocMapped) {
        void* memory = nullptr;
        CUDA_CHECK(cudaHostGetDevicePointer(&memory, this->data(), 0));
        device_data_ = static_cast<T*>(memory);
    }

    /// The device's pointer to the same elements.
    [[nodiscard]] T* device_data() const { return device_data_; }

  private:
    T* device_data_ = nullptr;
};

/// Keeps host memory page-locked during the lifetime of this object, which does not own the memory. Errors:
/// CudaError.
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
