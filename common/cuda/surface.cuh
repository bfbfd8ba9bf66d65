// RAII surface objects: CUDA arrays that a kernel reads and writes texel by texel.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "common/cuda/cuda_array.cuh"
#include "common/cuda/error.cuh"

namespace cudabook {

/// Owns a surface object. Does not own the array, which must outlive the surface object and must have been
/// created with cudaArraySurfaceLoadStore. Errors: CudaError.
class SurfaceObject {
  public:
    explicit SurfaceObject(cudaArray_t array) {
        const cudaResourceDesc resource = resource_of(array);
        CUDA_CHECK(cudaCreateSurfaceObject(&handle_, &resource));
    }
    SurfaceObject(SurfaceObject&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
    SurfaceObject& operator=(SurfaceObject&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~SurfaceObject() {
        if (handle_ != 0) cudaDestroySurfaceObject(handle_);
    }

    /// The handle to pass to a kernel.
    [[nodiscard]] cudaSurfaceObject_t handle() const { return handle_; }

  private:
    cudaSurfaceObject_t handle_ = 0;
};

}  // namespace cudabook
