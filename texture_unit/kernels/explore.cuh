// The picture in the window: each pixel is one fetch by one thread. All settings that the keys change are in
// the texture object, except the mipmap's level.
#pragma once

#include "texture_unit/pixel_bytes.hpp"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// `mipmapped` says whether the texture has levels. Levels need normalised coordinates.
__global__ static void explore_kernel(Rgba* pixels, int width, int height, cudaTextureObject_t texture,
                                      View view, bool mipmapped, float level) {
    const auto column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (column >= width || row >= height) return;
    const float x = view.x.of(column, row);
    const float y = view.y.of(column, row);
    const float4 texel = mipmapped ? tex2DLod<float4>(texture, x, y, level) : tex2D<float4>(texture, x, y);
    pixels[row * width + column] = pixel_of(texel.x, texel.y, texel.z);
}

}  // namespace cudabook::texture_unit
