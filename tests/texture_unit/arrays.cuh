// CUDA arrays, texture and surface objects of any kind, for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "common/cuda/error.cuh"

namespace cudabook::test {

/// A CUDA array of any shape. A size of 0 in `extent` means that it does not have this dimension.
class Array {
  public:
    Array(const cudaChannelFormatDesc& format, cudaExtent extent, unsigned flags = cudaArrayDefault) {
        cudaArray_t memory = nullptr;
        CUDA_CHECK(cudaMalloc3DArray(&memory, &format, extent, flags));
        memory_.reset(memory);
    }
    /// Of these texels; x runs fastest, then y.
    template <class T>
    Array(const std::vector<T>& texels, cudaExtent extent, unsigned flags = cudaArrayDefault)
        : Array(cudaCreateChannelDesc<T>(), extent, flags) {
        fill(get(), texels, extent);
    }
    [[nodiscard]] cudaArray_t get() const { return memory_.get(); }

    template <class T>
    static void fill(cudaArray_t memory, const std::vector<T>& texels, cudaExtent extent) {
        cudaMemcpy3DParms copy{};
        copy.srcPtr = pitched(const_cast<T*>(texels.data()), extent);
        copy.dstArray = memory;
        copy.extent = volume(extent);
        copy.kind = cudaMemcpyHostToDevice;
        CUDA_CHECK(cudaMemcpy3D(&copy));
    }

    template <class T>
    [[nodiscard]] std::vector<T> texels(cudaExtent extent) const {
        const cudaExtent all = volume(extent);
        std::vector<T> texels(all.width * all.height * all.depth);
        cudaMemcpy3DParms copy{};
        copy.srcArray = get();
        copy.dstPtr = pitched(texels.data(), extent);
        copy.extent = all;
        copy.kind = cudaMemcpyDeviceToHost;
        CUDA_CHECK(cudaMemcpy3D(&copy));
        return texels;
    }

  private:
    static cudaExtent volume(const cudaExtent& extent) {
        return {extent.width, std::max<std::size_t>(extent.height, 1),
                std::max<std::size_t>(extent.depth, 1)};
    }
    template <class T>
    static cudaPitchedPtr pitched(T* texels, const cudaExtent& extent) {
        return make_cudaPitchedPtr(texels, extent.width * sizeof(T), extent.width, volume(extent).height);
    }

    struct Free {
        void operator()(cudaArray_t memory) const { cudaFreeArray(memory); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaArray_t>, Free> memory_;
};

inline cudaResourceDesc resource_of(cudaArray_t memory) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = memory;
    return resource;
}

/// Owns a texture object, but not the memory, which must outlive it.
class Texture {
  public:
    Texture(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
        CUDA_CHECK(cudaCreateTextureObject(&handle_, &resource, &description, nullptr));
    }
    Texture(cudaArray_t memory, const cudaTextureDesc& description)
        : Texture(resource_of(memory), description) {}
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    ~Texture() { cudaDestroyTextureObject(handle_); }
    [[nodiscard]] cudaTextureObject_t handle() const { return handle_; }

  private:
    cudaTextureObject_t handle_ = 0;
};

/// Owns a surface object, but not the array, which must outlive it.
class Surface {
  public:
    explicit Surface(cudaArray_t memory) {
        const cudaResourceDesc resource = resource_of(memory);
        CUDA_CHECK(cudaCreateSurfaceObject(&handle_, &resource));
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    ~Surface() { cudaDestroySurfaceObject(handle_); }
    [[nodiscard]] cudaSurfaceObject_t handle() const { return handle_; }

  private:
    cudaSurfaceObject_t handle_ = 0;
};

}  // namespace cudabook::test
