// The picture in the window: each pixel is one fetch. Everything that the keys change is in the texture
// object, but for the mipmap's level. One thread a pixel.
#pragma once

#include "texture_unit/kernels/pixel_to_texture.hpp"

namespace cudabook::texture_unit {

/// `mipmapped`: the texture has levels, which only one with normalised coordinates can have.
__global__ static void explore_kernel(Rgba* pixels, unsigned width, unsigned height,
                                      cudaTextureObject_t texture, PixelToTexture map, bool mipmapped,
                                      float level) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float x = map.x(column, row);
    const float y = map.y(column, row);
    const float4 texel = mipmapped ? tex2DLod<float4>(texture, x, y, level) : tex2D<float4>(texture, x, y);
    pixels[column + static_cast<size_t>(row) * width] = pixel_of(texel.x, texel.y, texel.z);
}

}  // namespace cudabook::texture_unit
