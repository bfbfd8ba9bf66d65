// Texels of bytes, read in three ways: as integers; as fractions from 0 to 1, which can be filtered; and as
// fractions that are encoded as sRGB, which the unit decodes before it blends.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// Reads integers, which cannot be filtered.
template <class Pixel>
__global__ void integers_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return as_floats(tex2D<Bytes<Pixel>>(texture, view.x.of(column, row), view.y.of(column, row)));
    });
}

// The kernel for fractions, sRGB or not, is fetch2d_kernel.

// The read modes by hand.

template <class Pixel>
__global__ void integers_global_kernel(Pixel* out, int width, int height, Plane<Bytes<Pixel>> plane,
                                       View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const int x = static_cast<int>(floorf(view.x.of(column, row)));
        const int y = static_cast<int>(floorf(view.y.of(column, row)));
        return as_floats(plane.at(clamped(x, plane.width), clamped(y, plane.height)));
    });
}

/// Reads fractions as the unit does. The unit blends fractions in steps of 1/65535, so that a step of a byte,
/// 1/255, is 257 steps of the unit. The unit rounds the blend to a whole number of its steps.
template <class Pixel>
__global__ void fractions_global_kernel(Pixel* out, int width, int height, Plane<Bytes<Pixel>> plane,
                                        View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Beside x = beside<Edge::clamp>(view.x.of(column, row), plane.width);
        const Beside y = beside<Edge::clamp>(view.y.of(column, row), plane.height);
        const Pixel steps = blend(plane, x, y, weights_of_four(x.weight, y.weight),
                                  [](Bytes<Pixel> texel) { return times(257, as_floats(texel)); });
        return each(steps, [](float sum) { return floorf(sum + 0.5F) / 65535; });
    });
}

/// Reads fractions whose blend is not rounded.
template <class Pixel>
__global__ void fractions_exact_kernel(Pixel* out, int width, int height, Plane<Bytes<Pixel>> plane,
                                       View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return blend_exactly<Edge::clamp>(
            plane, view.x.of(column, row), view.y.of(column, row),
            [](Bytes<Pixel> texel) { return times(1.0F / 255, as_floats(texel)); });
    });
}

/// Reads fractions that are encoded as sRGB, and blends them. `fraction_of` has the fraction of each of the
/// 256 codes. The fourth component is not encoded. The unit keeps 11 bits of the blend; this kernel keeps all
/// bits.
__global__ inline void srgb_exact_kernel(float4* out, int width, int height, Plane<uchar4> plane, View view,
                                         const float* fraction_of) {
    __shared__ float copy[256];
    for (auto i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); i < 256;
         i += static_cast<int>(blockDim.x * blockDim.y))
        copy[i] = fraction_of[i];
    __syncthreads();
    make_pixels(out, width, height, [&](int column, int row) {
        return blend_exactly<Edge::clamp>(plane, view.x.of(column, row), view.y.of(column, row),
                                          [&](uchar4 texel) {
                                              return make_float4(copy[texel.x], copy[texel.y], copy[texel.z],
                                                                 static_cast<float>(texel.w) * (1.0F / 255));
                                          });
    });
}

}  // namespace cudabook::texture_unit
