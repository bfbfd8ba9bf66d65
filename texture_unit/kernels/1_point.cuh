// A texture without a filter: a fetch returns the texel that contains the coordinate. Beyond the edges, a
// fetch returns the nearest texel.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// In all kernels of this sample, a thread makes some pixels of a picture of width × height pixels,
/// row-major. `view` gives the place of each pixel in the texture. The texture object decides whether a fetch
/// returns a texel or a blend, and what a fetch returns beyond the edges.
template <class Pixel>
__global__ void fetch2d_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return tex2D<Pixel>(texture, view.x.of(column, row), view.y.of(column, row));
    });
}

/// fetch2d_kernel without a filter, by hand: reads the nearest texel.
template <class Pixel>
__global__ void point_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const int x = static_cast<int>(floorf(view.x.of(column, row)));
        const int y = static_cast<int>(floorf(view.y.of(column, row)));
        return plane.at(clamped(x, plane.width), clamped(y, plane.height));
    });
}

}  // namespace cudabook::texture_unit
