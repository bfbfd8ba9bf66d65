// Texels for a benchmark: slopes from dark to bright, 1024 texels long, with a little noise, as in a photo.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudabook::texture_unit {

__device__ inline std::uint32_t scrambled(std::uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352dU;
    i = (i ^ i >> 15) * 0x846ca68bU;
    return i ^ i >> 16;
}

/// Sets a texel. `brightness` is from 0 to 2^32 and becomes a component from 0 to 255. A component that is a
/// float can have a fraction.
__device__ inline void set(float& texel, std::uint32_t brightness) {
    texel = static_cast<float>(brightness >> 8) * (255 * 0x1p-24F);
}
__device__ inline void set(unsigned char& texel, std::uint32_t brightness) {
    texel = static_cast<unsigned char>(brightness >> 24);
}
template <class Texel>
__device__ void set(Texel& texel, std::uint32_t brightness) {
    set(texel.x, brightness);
    set(texel.y, ~brightness);
    set(texel.z, brightness / 2);
    set(texel.w, 0xffffffffU);
}

/// Fills `size` texels, in rows of `width` texels.
template <class Texel>
__global__ void fill_kernel(Texel* texels, std::size_t size, std::size_t width) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride) {
        const auto along_slope = static_cast<std::uint32_t>((i % width + 3 * (i / width)) % 1024);
        set(texels[i], along_slope << 22 | scrambled(static_cast<std::uint32_t>(i)) >> 10);
    }
}

}  // namespace cudabook::texture_unit
