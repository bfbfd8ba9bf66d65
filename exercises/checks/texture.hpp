// Textures and surfaces for the checks of the exercises. Nothing is freed, because a check is a short
// program.
#pragma once

#include "exercises/checks/check.hpp"

namespace cudabook::check {

/// Returns a texture over linear memory, for tex1Dfetch.
template <class T>
cudaTextureObject_t linear_texture(T* memory, std::size_t count,
                                   cudaTextureReadMode mode = cudaReadModeElementType) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    cudaTextureDesc texture{};
    texture.readMode = mode;
    cudaTextureObject_t object = 0;
    cuda(cudaCreateTextureObject(&object, &resource, &texture, nullptr), "cudaCreateTextureObject");
    return object;
}

/// A two-dimensional CUDA array of floats, for tex2D and surfaces.
class Picture {
  public:
    Picture(int width, int height, const std::vector<float>& texels)
        : width_(width * sizeof(float)), height_(height) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cuda(cudaMallocArray(&array_, &format, width, height, cudaArraySurfaceLoadStore), "cudaMallocArray");
        cuda(
            cudaMemcpy2DToArray(array_, 0, 0, texels.data(), width_, width_, height_, cudaMemcpyHostToDevice),
            "cudaMemcpy2DToArray");
        resource_.resType = cudaResourceTypeArray;
        resource_.res.array.array = array_;
    }

    [[nodiscard]] cudaTextureObject_t texture(const cudaTextureDesc& description) const {
        cudaTextureObject_t object = 0;
        cuda(cudaCreateTextureObject(&object, &resource_, &description, nullptr), "cudaCreateTextureObject");
        return object;
    }
    /// Returns a texture with address mode clamp and coordinates in texels, not normalized.
    [[nodiscard]] cudaTextureObject_t texture(cudaTextureFilterMode filter) const {
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
        description.filterMode = filter;
        return texture(description);
    }
    [[nodiscard]] cudaSurfaceObject_t surface() const {
        cudaSurfaceObject_t object = 0;
        cuda(cudaCreateSurfaceObject(&object, &resource_), "cudaCreateSurfaceObject");
        return object;
    }
    [[nodiscard]] std::vector<float> values() const {
        std::vector<float> values(width_ / sizeof(float) * height_);
        cuda(cudaMemcpy2DFromArray(values.data(), width_, array_, 0, 0, width_, height_,
                                   cudaMemcpyDeviceToHost),
             "cudaMemcpy2DFromArray");
        return values;
    }

  private:
    cudaArray_t array_{};
    cudaResourceDesc resource_{};
    std::size_t width_;  ///< the bytes of a row
    std::size_t height_;
};

}  // namespace cudabook::check
