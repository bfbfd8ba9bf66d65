// RAII texture objects over linear memory, pitched memory and CUDA arrays, with or without mipmap levels.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "common/cuda/cuda_array.cuh"
#include "common/cuda/error.cuh"

namespace cudabook {

/// Owns a texture object. Does not own the memory that the texture reads, which must outlive the texture
/// object. Errors: CudaError.
class TextureObject {
  public:
    /// Linear memory of `size` texels of type T, read by tex1Dfetch; an index past the end reads 0.
    template <class T>
    static TextureObject linear(T* memory, std::size_t size,
                                cudaTextureReadMode mode = cudaReadModeElementType) {
        return linear(memory, size * sizeof(T), cudaCreateChannelDesc<T>(), mode);
    }

    /// Like the linear() above, for texels of any channel format, such as cudaCreateChannelDescHalf4().
    static TextureObject linear(void* memory, std::size_t bytes, const cudaChannelFormatDesc& format,
                                cudaTextureReadMode mode) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory;
        resource.res.linear.desc = format;
        resource.res.linear.sizeInBytes = bytes;
        return {resource, nearest_texel(mode)};
    }

    /// Pitched memory: rows of `width` texels of type T, `pitch_bytes` apart. tex2D reads texel (x, y) at
    /// (x + 0.5, y + 0.5). A coordinate outside the texture reads the nearest texel of its edge.
    template <class T>
    static TextureObject pitched(T* memory, std::size_t width, std::size_t height, std::size_t pitch_bytes) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory;
        resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
        resource.res.pitch2D.width = width;
        resource.res.pitch2D.height = height;
        resource.res.pitch2D.pitchInBytes = pitch_bytes;
        return {resource, nearest_texel(cudaReadModeElementType)};
    }

    /// A CUDA array, read like pitched memory.
    static TextureObject array(cudaArray_t memory) {
        return {memory, nearest_texel(cudaReadModeElementType)};
    }

    /// A CUDA array, with or without mipmap levels, read as `texture` describes.
    TextureObject(cudaArray_t memory, const cudaTextureDesc& texture)
        : TextureObject(resource_of(memory), texture) {}
    TextureObject(cudaMipmappedArray_t memory, const cudaTextureDesc& texture)
        : TextureObject(resource_of(memory), texture) {}
    TextureObject(const cudaResourceDesc& resource, const cudaTextureDesc& texture) {
        CUDA_CHECK(cudaCreateTextureObject(&handle_, &resource, &texture, nullptr));
    }

    TextureObject(TextureObject&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
    TextureObject& operator=(TextureObject&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~TextureObject() {
        if (handle_ != 0) cudaDestroyTextureObject(handle_);
    }

    /// The handle to pass to a kernel.
    [[nodiscard]] cudaTextureObject_t handle() const { return handle_; }

    /// The most texels of type T in one linear texture on this device.
    template <class T>
    static std::size_t linear_limit(int device) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
        std::size_t texels = 0;
        CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&texels, &format, device));
        return texels;
    }

  private:
    /// Describes a texture that reads the nearest texel, without a filter. A coordinate outside the texture
    /// reads the nearest texel of its edge.
    static cudaTextureDesc nearest_texel(cudaTextureReadMode mode) {
        cudaTextureDesc texture{};
        texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
        texture.filterMode = cudaFilterModePoint;
        texture.readMode = mode;
        return texture;
    }

    cudaTextureObject_t handle_ = 0;
};

}  // namespace cudabook
