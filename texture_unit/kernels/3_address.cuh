// Address modes: what a fetch reads beyond the edges. Coordinates are normalised: from 0 to 1 over the
// texture.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

// The fetch is fetch2d_kernel: the address modes are properties of the texture object.

/// By hand, each mode is arithmetic of its own.
template <Edge edge, class Pixel>
__global__ void address_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float x = view.x.of(column, row) * static_cast<float>(plane.width);
        const float y = view.y.of(column, row) * static_cast<float>(plane.height);
        return blend(plane, beside<edge>(x, plane.width), beside<edge>(y, plane.height));
    });
}

}  // namespace cudabook::texture_unit
