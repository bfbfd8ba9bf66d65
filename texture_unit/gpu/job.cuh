// A lesson's scene in a GPU's memory: its texels, the texture over them, and memory for the picture.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "texture_unit/cpu.hpp"
#include "texture_unit/gpu/cuda_modes.cuh"
#include "texture_unit/kernels/5_lookup.cuh"
#include "texture_unit/kernels/9_mipmap.cuh"
#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/fill.cuh"
#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit {

// ----- Stored texels

inline void store(float& to, const Texel& texel) { to = texel[0]; }
inline void store(float4& to, const Texel& texel) {
    to = make_float4(texel[0], texel[1], texel[2], texel[3]);
}
inline void store(unsigned char& to, const Texel& texel) { to = static_cast<unsigned char>(texel[0]); }
inline void store(uchar4& to, const Texel& texel) {
    to = make_uchar4(static_cast<unsigned char>(texel[0]), static_cast<unsigned char>(texel[1]),
                     static_cast<unsigned char>(texel[2]), static_cast<unsigned char>(texel[3]));
}

/// texels_of_level() returns the number of texels of a level of the scene's texture. texels_before() returns
/// the number of texels of all levels before that level.
inline std::size_t texels_of_level(const Scene& scene, int level) {
    const auto side = [level](int size) { return static_cast<std::size_t>(std::max(size >> level, 1)); };
    return side(scene.size[0]) * side(scene.size[1]) * static_cast<std::size_t>(scene.size[2]);
}
inline std::size_t texels_before(const Scene& scene, int level) {
    std::size_t texels = 0;
    for (int i = 0; i < level; ++i) texels += texels_of_level(scene, i);
    return texels;
}

/// Returns the scene's texels in linear memory, level after level. If the scene has no texels, fill_kernel
/// makes them.
template <class Stored>
DeviceArray<Stored> linear_memory(const Scene& scene) {
    DeviceArray<Stored> memory(texels_before(scene, scene.level_count()));
    if (scene.levels.empty()) {
        const Stream stream;
        launch<fill_kernel<Stored>>(1024, 256, stream, memory.data(), memory.size(),
                                    static_cast<std::size_t>(scene.size[0]));
        stream.synchronize();
        return memory;
    }
    std::vector<Stored> texels;
    texels.reserve(memory.size());
    for (const auto& level : scene.levels)
        for (const Texel& texel : level) store(texels.emplace_back(), texel);
    memory.upload(texels);
    return memory;
}

// ----- Textures

inline cudaExtent extent_of(const Scene& scene) {
    const auto [width, height, depth] = scene.size;
    const bool has_depth = scene.shape == TextureShape::volume || scene.shape == TextureShape::layers ||
                           scene.shape == TextureShape::cube;
    return make_cudaExtent(static_cast<std::size_t>(width),
                           scene.shape == TextureShape::line ? 0 : static_cast<std::size_t>(height),
                           has_depth ? static_cast<std::size_t>(depth) : 0);
}

inline unsigned array_flags(const Scene& scene) {
    if (scene.shape == TextureShape::layers) return cudaArrayLayered;
    if (scene.shape == TextureShape::cube) return cudaArrayCubemap;
    return scene.gather ? cudaArrayTextureGather : cudaArrayDefault;
}

inline cudaTextureDesc description_of(const Scene& scene) {
    cudaTextureDesc texture = description_of(scene.address, scene.filter, scene.normalized);
    texture.readMode = scene.store == Store::fractions || scene.store == Store::srgb
                           ? cudaReadModeNormalizedFloat
                           : cudaReadModeElementType;
    texture.sRGB = scene.store == Store::srgb ? 1 : 0;
    texture.seamlessCubemap = scene.seamless ? 1 : 0;
    texture.mipmapFilterMode = cuda(scene.level_filter);
    texture.mipmapLevelBias = scene.bias;
    texture.maxMipmapLevelClamp = static_cast<float>(scene.level_count() - 1);
    texture.disableTrilinearOptimization = 1;  // fetches read exactly the requested levels
    return texture;
}

/// Returns the resource description for a texture over the scene's texels in linear memory. The description
/// includes the distance in bytes between two rows, which the texture unit must know.
template <class Stored>
cudaResourceDesc pitched_resource(const Scene& scene, const DeviceArray<Stored>& texels) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = texels.data();
    resource.res.pitch2D.desc = cudaCreateChannelDesc<Stored>();
    resource.res.pitch2D.width = static_cast<std::size_t>(scene.size[0]);
    resource.res.pitch2D.height = static_cast<std::size_t>(scene.size[1]);
    resource.res.pitch2D.pitchInBytes = resource.res.pitch2D.width * sizeof(Stored);
    return resource;
}

/// A texture object, and the array that it reads unless it reads linear memory.
class Texture {
  public:
    template <class Stored>
    Texture(const Scene& scene, const DeviceArray<Stored>& texels, bool pitched = false) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<Stored>();
        if (pitched) {
            object_.emplace(pitched_resource(scene, texels), description_of(scene));
        } else if (scene.shape == TextureShape::levels) {
            MipmappedArray& levels =
                levels_.emplace(format, extent_of(scene), static_cast<unsigned>(scene.level_count()));
            for (int i = 0; i < scene.level_count(); ++i)
                levels.copy_from(static_cast<unsigned>(i), texels.data() + texels_before(scene, i));
            object_.emplace(levels.get(), description_of(scene));
        } else {
            CudaArray& array = array_.emplace(format, extent_of(scene), array_flags(scene));
            array.copy_from(texels.data());
            object_.emplace(array.get(), description_of(scene));
        }
    }
    [[nodiscard]] cudaTextureObject_t handle() const { return object_->handle(); }

  private:
    std::optional<CudaArray> array_;
    std::optional<MipmappedArray> levels_;
    std::optional<TextureObject> object_;
};

inline Scene scene_of_curve(const Scene& scene) {
    Scene curve;
    curve.shape = TextureShape::line;
    curve.size = {static_cast<int>(scene.curve.size()), 1, 1};
    return curve;
}

// ----- The job of drawing a picture

/// A scene in the device's memory, and memory for the scene's picture. A pixel is one float or four floats.
template <class Pixel>
struct Job {
    /// If `pitched` is true, the texture reads linear memory instead of an array. `of` must outlive the job.
    Job(const Scene& of, bool pitched) : scene(of), out(of.pixels()) {
        if (!scene.rows.empty()) rows = DeviceArray<FloorRow>(std::span(scene.rows));
        if (scene.store == Store::srgb) {
            std::vector<float> codes;
            for (int code = 0; code < 256; ++code) codes.push_back(srgb_fraction(static_cast<float>(code)));
            numbers = DeviceArray<float>(std::span<const float>(codes));
        }
        if (scene.store == Store::floats) {
            floats = linear_memory<Pixel>(scene);
            if (scene.curve.empty()) texture.emplace(scene, floats, pitched);
        } else {
            bytes = linear_memory<Bytes<Pixel>>(scene);
            texture.emplace(scene, bytes);
        }
        if (!scene.curve.empty()) {
            numbers = DeviceArray<float>(std::span(scene.curve));
            CUDA_CHECK(
                cudaMemcpyToSymbol(constant_curve, scene.curve.data(), scene.curve.size() * sizeof(float)));
            texture.emplace(scene_of_curve(scene), numbers);
        }
    }

    [[nodiscard]] Plane<Pixel> plane() const { return {floats.data(), scene.size[0], scene.size[1]}; }
    [[nodiscard]] Plane<Bytes<Pixel>> plane_of_bytes() const {
        return {bytes.data(), scene.size[0], scene.size[1]};
    }
    [[nodiscard]] Levels<Pixel> levels() const { return {floats.data(), scene.size[0], scene.level_count()}; }
    [[nodiscard]] int entries() const { return static_cast<int>(scene.curve.size()); }

    static dim3 block() { return {64, 4}; }

    /// Launches the kernel, with one thread for every `rows_of_thread` pixels. The kernel's first arguments
    /// are the picture, its width and its height.
    template <class... Parameters, class... Arguments>
    void run(void (*kernel)(Pixel*, int, int, Parameters...), Arguments... arguments) const {
        const auto blocks = [](int pixels, unsigned threads) {
            return (static_cast<unsigned>(pixels) + threads - 1) / threads;
        };
        launch(kernel,
               dim3(blocks(scene.width, block().x), blocks(scene.height, block().y * rows_of_thread),
                    static_cast<unsigned>(scene.slices)),
               block(), stream, out.data(), scene.width, scene.height, arguments...);
    }

    const Scene& scene;  ///< must outlive the job
    Stream stream;
    DeviceArray<Pixel> out;
    DeviceArray<Pixel> floats;        ///< the texels, unless they are bytes
    DeviceArray<Bytes<Pixel>> bytes;  ///< the texels, if they are bytes
    DeviceArray<float> numbers;       ///< the entries of scene.curve, or the fractions of the sRGB codes
    DeviceArray<FloorRow> rows;
    std::optional<Texture> texture;
};

}  // namespace cudabook::texture_unit
