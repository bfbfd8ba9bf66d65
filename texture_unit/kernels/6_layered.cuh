// Layers: many textures of one size in one texture object. A fetch names its layer. Filtering stays within
// the layer, while in an atlas neighbouring textures bleed into each other.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// A pixel's layer, and its column and row in its square. The picture is made of squares of `tile` × `tile`
/// pixels, with `tiles` squares in a row. Each square shows a layer.
struct Tile {
    int layer, column, row;
};
__device__ inline Tile tile_at(int column, int row, int tile, int tiles) {
    return {row / tile * tiles + column / tile, column % tile, row % tile};
}

template <class Pixel>
__global__ void layered_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view,
                               int tile, int tiles) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Tile at = tile_at(column, row, tile, tiles);
        return tex2DLayered<Pixel>(texture, view.x.of(at.column, at.row), view.y.of(at.column, at.row),
                                   at.layer);
    });
}

/// layered_kernel by hand: the layers are consecutive in memory.
template <class Pixel>
__global__ void layered_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view,
                                      int tile, int tiles) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Tile at = tile_at(column, row, tile, tiles);
        return blend(plane.behind(at.layer), beside<Edge::clamp>(view.x.of(at.column, at.row), plane.width),
                     beside<Edge::clamp>(view.y.of(at.column, at.row), plane.height));
    });
}

/// layered_global_kernel with weights that are not rounded.
template <class Pixel>
__global__ void layered_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view,
                                     int tile, int tiles) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Tile at = tile_at(column, row, tile, tiles);
        return blend_exactly<Edge::clamp>(plane.behind(at.layer), view.x.of(at.column, at.row),
                                          view.y.of(at.column, at.row));
    });
}

}  // namespace cudabook::texture_unit
