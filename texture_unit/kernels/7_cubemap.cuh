// A cube map: six faces around a point, fetched by a direction.
#pragma once

#include "texture_unit/direction.hpp"
#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"

namespace cudabook::texture_unit {

/// Whether the faces are blended across the edges of the cube is a property of the texture object.
template <class Pixel>
__global__ void cubemap_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, width);
        return texCubemap<Pixel>(texture, x, y, z);
    });
}

/// A point of the cube's surface: a face and coordinates on it, -1 to 1.
struct OnCube {
    int face;
    float s, t;
};

/// The guide's table, for a direction whose longest component is 1.
__device__ inline OnCube on_cube(float x, float y, float z) {
    if (fabsf(z) == 1) return z > 0 ? OnCube{4, x, -y} : OnCube{5, -x, -y};
    if (fabsf(y) == 1) return y > 0 ? OnCube{2, x, z} : OnCube{3, x, -z};
    return x > 0 ? OnCube{0, -z, -y} : OnCube{1, z, -y};
}

/// From -1 … 1 to 0 … 1, rounded down to a multiple of 2^-21 as the unit does.
__device__ inline float normalised(float s) { return (floorf(s * 0x1p20F) + 0x1p20F) * 0x1p-21F; }

/// The same by hand, without the blending across edges.
template <class Pixel>
__global__ void cubemap_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, width);
        const auto [face, s, t] = on_cube(x, y, z);
        const auto size = static_cast<float>(plane.width);
        return blend(plane.behind(face), beside<Edge::clamp>(normalised(s) * size, plane.width),
                     beside<Edge::clamp>(normalised(t) * size, plane.width));
    });
}

/// With weights that are not rounded.
template <class Pixel>
__global__ void cubemap_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, width);
        const auto [face, s, t] = on_cube(x, y, z);
        const auto size = static_cast<float>(plane.width);
        return blend_exactly<Edge::clamp>(plane.behind(face), normalised(s) * size, normalised(t) * size);
    });
}

}  // namespace cudabook::texture_unit
