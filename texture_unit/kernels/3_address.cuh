// Address modes: they decide what a fetch reads beyond the edges. Coordinates are normalised: from 0 to 1
// over the texture.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

// The kernel is fetch2d_kernel: the address modes are properties of the texture object.

/// The address modes by hand. Each mode needs different arithmetic. `Texels` is Plane or, for Edge::border,
/// BorderedPlane.
template <Edge edge, class Pixel, class Texels>
__global__ void address_global_kernel(Pixel* out, int width, int height, Texels plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float x = in_texels(view.x.of(column, row), plane.width);
        const float y = in_texels(view.y.of(column, row), plane.height);
        return blend(plane, beside<edge>(x, plane.width), beside<edge>(y, plane.height));
    });
}

/// address_global_kernel with weights that are not rounded.
template <Edge edge, class Pixel, class Texels>
__global__ void address_exact_kernel(Pixel* out, int width, int height, Texels plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return blend_exactly<edge>(plane, view.x.of(column, row) * static_cast<float>(plane.width),
                                   view.y.of(column, row) * static_cast<float>(plane.height));
    });
}

}  // namespace cudabook::texture_unit
