// A texture object: the texels, and how fetches read them. texture_object.cpp makes it, and the fetches in
// texture.cpp use it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/texture_model/addressing.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/textures/array.hpp"
#include "emulator/textures/texture.hpp"

namespace cudabook::emulation {

/// How a component in memory is converted to a register.
enum class Decoding : std::uint8_t {
    unsigned8,
    signed8,
    unsigned16,
    signed16,
    bits32,
    half,
    unsigned8_as_fraction,
    signed8_as_fraction,
    unsigned16_as_fraction,
    signed16_as_fraction,
    srgb,  ///< the fourth component is an unsigned8_as_fraction
};

inline std::size_t component_bytes(Decoding decoding) {
    switch (decoding) {
        case Decoding::bits32:
            return 4;
        case Decoding::unsigned16:
        case Decoding::signed16:
        case Decoding::half:
        case Decoding::unsigned16_as_fraction:
        case Decoding::signed16_as_fraction:
            return 2;
        default:
            return 1;
    }
}

inline bool is_cube(TextureKind shape) {
    return shape == TextureKind::cube || shape == TextureKind::cube_layers;
}

struct Texture {
    const GpuState* gpu;
    cudaResourceDesc resource;
    cudaTextureDesc sampler;
    TextureKind shape;
    Decoding decoding;
    std::uint8_t components;
    bool gives_floats = false;  ///< fetches give floats, not integers
    unsigned first_layer = 0;   ///< in layers, or in cubes of a layered cubemap
    unsigned layers = 1;
    int first_level = 0;
    int levels = 1;
    Image image{};                       ///< the image of the first level
    std::array<std::byte, 16> border{};  ///< a texel of the border's colour, as in memory

    /// Returns dimension `d` of the image of a level. A dimension that the texture lacks has one texel and no
    /// address mode. The exception is y of a TextureKind::line: its address mode has an effect (measured on
    /// an H200).
    [[nodiscard]] texture_unit::Axis axis(const Image& level, std::size_t d) const {
        if ((d == 1 && shape == TextureKind::line_layers) || (d == 2 && shape != TextureKind::volume))
            return {};
        const std::array<int, 3> size{level.width, level.height, level.depth};
        return {size[d],
                sampler.seamlessCubemap != 0 ? texture_unit::Address::clamp
                                             : static_cast<texture_unit::Address>(sampler.addressMode[d]),
                sampler.normalizedCoords != 0 || is_cube(shape)};
    }
};

/// Returns the memory of all texture objects over memory with a pitch.
std::vector<PlaneInMemory> planes_of_textures();

}  // namespace cudabook::emulation
