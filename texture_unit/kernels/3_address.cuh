// Address modes: what a fetch reads beyond the edges. Coordinates are normalised: from 0 to 1 over the
// texture.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

// The fetch is fetch2d_kernel: the address modes are properties of the texture object.

/// By hand, each mode is arithmetic of its own. Texels: a plane, or one with a border.
template <Edge edge, class Pixel, class Texels>
__global__ void address_global_kernel(Pixel* out, int width, int height, Texels texels, int texels_across,
                                      int texels_down, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float x = in_texels(view.x.of(column, row), texels_across);
        const float y = in_texels(view.y.of(column, row), texels_down);
        return blend(texels, beside<edge>(x, texels_across), beside<edge>(y, texels_down));
    });
}

/// The same with weights that are not rounded.
template <Edge edge, class Pixel, class Texels>
__global__ void address_exact_kernel(Pixel* out, int width, int height, Texels texels, int texels_across,
                                     int texels_down, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float x = view.x.of(column, row) * static_cast<float>(texels_across);
        const float y = view.y.of(column, row) * static_cast<float>(texels_down);
        return blend_exactly<Pixel>(x, y, [&](int i, int j) {
            return texels.at(resolved<edge>(i, texels_across), resolved<edge>(j, texels_down));
        });
    });
}

}  // namespace cudabook::texture_unit
