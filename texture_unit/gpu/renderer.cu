// Draws the picture in the window with the texture unit.
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/error.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/gpu/cuda_modes.cuh"
#include "texture_unit/kernels/explore.cuh"

namespace cudabook::texture_unit {

namespace {

/// The description of a texture object, from the look. The border is 0, the default.
cudaTextureDesc description(const Look& look, std::size_t levels) {
    cudaTextureDesc texture =
        description_of({look.address[0], look.address[1], Address::clamp}, look.filter, look.normalized);
    texture.mipmapFilterMode = cuda(look.level_filter);
    texture.maxMipmapLevelClamp = static_cast<float>(levels - 1);
    return texture;
}

class GpuRenderer final : public Renderer {
  public:
    /// The device must be the current device.
    GpuRenderer(const std::vector<Image>& levels, Size picture, int device)
        : device_(device),
          picture_(picture),
          mipmap_(cudaCreateChannelDesc<float4>(), extent(levels.front()),
                  static_cast<unsigned>(levels.size())),
          pixels_(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height)) {
        for (const Image& level : levels) {
            mipmap_.copy_from(static_cast<unsigned>(sizes_.size()),
                              reinterpret_cast<const float4*>(level.texels.data()));
            sizes_.push_back({level.width, level.height});
        }
    }

    void draw(const Look& look, unsigned char* rgba) override {
        CUDA_CHECK(cudaSetDevice(device_));  // each host thread has its own current device
        const auto level = static_cast<unsigned>(look.levels_read(static_cast<int>(sizes_.size())).index[0]);
        const cudaTextureDesc texture_description = description(look, sizes_.size());
        // A texture with levels must have normalised coordinates; without them the texture is a single level.
        const TextureObject texture = look.normalized ? TextureObject(mipmap_.get(), texture_description)
                                                      : TextureObject(array_of(level), texture_description);
        const View view = view_of(look, picture_, sizes_.front(), sizes_[level]);
        const dim3 threads(32, 8);
        const dim3 blocks((static_cast<unsigned>(picture_.width) + threads.x - 1) / threads.x,
                          (static_cast<unsigned>(picture_.height) + threads.y - 1) / threads.y);
        launch<explore_kernel>(blocks, threads, stream_, pixels_.data(), picture_.width, picture_.height,
                               texture.handle(), view, look.normalized, look.level);
        CUDA_CHECK(cudaMemcpy(rgba, pixels_.data(), pixels_.size() * sizeof(Rgba), cudaMemcpyDeviceToHost));
    }

  private:
    static cudaExtent extent(const Image& image) {
        return make_cudaExtent(static_cast<std::size_t>(image.width), static_cast<std::size_t>(image.height),
                               0);
    }

    [[nodiscard]] cudaArray_t array_of(unsigned level) const {
        cudaArray_t array = nullptr;
        CUDA_CHECK(cudaGetMipmappedArrayLevel(&array, mipmap_.get(), level));
        return array;
    }

    int device_;
    Size picture_;
    MipmappedArray mipmap_;
    std::vector<Size> sizes_;  ///< the sizes of the levels
    DeviceArray<Rgba> pixels_;
    Stream stream_;
};

}  // namespace

std::unique_ptr<Renderer> make_gpu_renderer(const std::vector<Image>& levels, Size picture, int device) {
    CUDA_CHECK(cudaSetDevice(device));
    return std::make_unique<GpuRenderer>(levels, picture, device);
}

}  // namespace cudabook::texture_unit
