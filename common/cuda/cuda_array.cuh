// Owners of CUDA arrays of any shape, with or without mipmap levels, for texture and surface objects.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "common/cuda/error.cuh"
#include "common/cuda/memory.cuh"

namespace cudabook {

namespace detail {

/// Returns the extent with the size 1 for each missing dimension.
inline cudaExtent volume(const cudaExtent& extent) {
    return {extent.width, std::max<std::size_t>(extent.height, 1), std::max<std::size_t>(extent.depth, 1)};
}
inline std::size_t texels_of(const cudaExtent& extent) {
    const cudaExtent all = volume(extent);
    return all.width * all.height * all.depth;
}
template <class T>
cudaPitchedPtr dense(const T* texels, const cudaExtent& extent) {
    return make_cudaPitchedPtr(const_cast<T*>(texels), extent.width * sizeof(T), extent.width,
                               volume(extent).height);
}

/// Fills a whole array from dense memory on the host or the device, in which x runs fastest, then y.
template <class T>
void fill(cudaArray_t array, const cudaExtent& extent, const T* texels) {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = dense(texels, extent);
    copy.dstArray = array;
    copy.extent = volume(extent);
    copy.kind = cudaMemcpyDefault;
    CUDA_CHECK(cudaMemcpy3D(&copy));
}

}  // namespace detail

/// The resource description of an array, with or without mipmap levels, for a texture or surface object.
inline cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
inline cudaResourceDesc resource_of(cudaMipmappedArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    return resource;
}

/// A CUDA array. In its layout, texels that are neighbours in any direction are close together in memory.
/// Errors: OutOfMemory, CudaError.
class CudaArray {
  public:
    /// A size of 0 in `extent` means that the array lacks this dimension. The depth counts the layers, or the
    /// faces of a cube map. `flags`: any of cudaArrayLayered, cudaArrayCubemap, cudaArraySurfaceLoadStore and
    /// cudaArrayTextureGather.
    CudaArray(const cudaChannelFormatDesc& format, const cudaExtent& extent,
              unsigned flags = cudaArrayDefault)
        : extent_(extent) {
        const std::size_t bits = static_cast<unsigned>(format.x + format.y + format.z + format.w);
        cudaArray_t memory = nullptr;
        detail::check_allocation(cudaMalloc3DArray(&memory, &format, extent, flags), "cudaMalloc3DArray",
                                 detail::texels_of(extent) * bits / 8, detail::free_on_device);
        memory_.reset(memory);
    }
    /// An array with these texels; x runs fastest, then y.
    template <class T>
    CudaArray(const std::vector<T>& texels, const cudaExtent& extent, unsigned flags = cudaArrayDefault)
        : CudaArray(cudaCreateChannelDesc<T>(), extent, flags) {
        copy_from(texels.data());
    }
    /// A two-dimensional array of height × width texels of type T.
    template <class T>
    static CudaArray plane(std::size_t width, std::size_t height, unsigned flags = cudaArrayDefault) {
        return {cudaCreateChannelDesc<T>(), make_cudaExtent(width, height, 0), flags};
    }

    [[nodiscard]] cudaArray_t get() const { return memory_.get(); }
    [[nodiscard]] const cudaExtent& extent() const { return extent_; }

    /// Copies all texels from the host or the device.
    template <class T>
    void copy_from(const T* texels) {
        detail::fill(get(), extent_, texels);
    }
    /// All texels, copied to the host.
    template <class T>
    [[nodiscard]] std::vector<T> texels() const {
        std::vector<T> texels(detail::texels_of(extent_));
        cudaMemcpy3DParms copy{};
        copy.srcArray = get();
        copy.dstPtr = detail::dense(texels.data(), extent_);
        copy.extent = detail::volume(extent_);
        copy.kind = cudaMemcpyDeviceToHost;
        CUDA_CHECK(cudaMemcpy3D(&copy));
        return texels;
    }

  private:
    struct Free {
        void operator()(cudaArray_t memory) const { cudaFreeArray(memory); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaArray_t>, Free> memory_;
    cudaExtent extent_;
};

/// A CUDA array with mipmap levels, each half as large as the previous level. Errors: OutOfMemory, CudaError.
class MipmappedArray {
  public:
    MipmappedArray(const cudaChannelFormatDesc& format, const cudaExtent& extent, unsigned levels,
                   unsigned flags = cudaArrayDefault)
        : extent_(extent), levels_(levels), flags_(flags) {
        const std::size_t bits = static_cast<unsigned>(format.x + format.y + format.z + format.w);
        cudaMipmappedArray_t memory = nullptr;
        detail::check_allocation(cudaMallocMipmappedArray(&memory, &format, extent, levels, flags),
                                 "cudaMallocMipmappedArray", detail::texels_of(extent) * bits / 8,
                                 detail::free_on_device);
        memory_.reset(memory);
    }

    [[nodiscard]] cudaMipmappedArray_t get() const { return memory_.get(); }
    [[nodiscard]] unsigned levels() const { return levels_; }

    /// Returns the size of a level. Each dimension is half of the previous level's, rounded down, but at
    /// least 1. The number of layers or faces is the same in all levels.
    [[nodiscard]] cudaExtent extent(unsigned level) const {
        const auto half = [level](std::size_t size) {
            return size == 0 ? 0 : std::max<std::size_t>(size >> level, 1);
        };
        const bool has_layers = (flags_ & (cudaArrayLayered | cudaArrayCubemap)) != 0;
        return {half(extent_.width), half(extent_.height), has_layers ? extent_.depth : half(extent_.depth)};
    }

    /// Copies all texels of a level from the host or the device.
    template <class T>
    void copy_from(unsigned level, const T* texels) {
        cudaArray_t array = nullptr;
        CUDA_CHECK(cudaGetMipmappedArrayLevel(&array, get(), level));
        detail::fill(array, extent(level), texels);
    }

  private:
    struct Free {
        void operator()(cudaMipmappedArray_t memory) const { cudaFreeMipmappedArray(memory); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaMipmappedArray_t>, Free> memory_;
    cudaExtent extent_;
    unsigned levels_;
    unsigned flags_;
};

}  // namespace cudabook
