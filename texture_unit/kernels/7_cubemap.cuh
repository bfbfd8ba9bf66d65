// A cube map: six faces around a point, fetched by a direction.
#pragma once

#include "texture_unit/direction.hpp"
#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"

namespace cudabook::texture_unit {

/// A property of the texture object decides whether the faces are blended across the edges of the cube.
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

/// Returns the point of the cube in a direction whose longest component is 1, by the table in the CUDA C++
/// Programming Guide.
__device__ inline OnCube on_cube(float x, float y, float z) {
    if (fabsf(z) == 1) return z > 0 ? OnCube{4, x, -y} : OnCube{5, -x, -y};
    if (fabsf(y) == 1) return y > 0 ? OnCube{2, x, z} : OnCube{3, x, -z};
    return x > 0 ? OnCube{0, -z, -y} : OnCube{1, z, -y};
}

/// Maps -1 … 1 to 0 … 1, rounded down to a multiple of 2^-21 as the unit does.
__device__ inline float normalised(float s) { return (floorf(s * 0x1p20F) + 0x1p20F) * 0x1p-21F; }

/// cubemap_kernel by hand, without the blending across edges.
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

/// cubemap_global_kernel with weights that are not rounded.
template <class Pixel>
__global__ void cubemap_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, width);
        const auto [face, s, t] = on_cube(x, y, z);
        const auto size = static_cast<float>(plane.width);
        return blend_exactly<Edge::clamp>(plane.behind(face), normalised(s) * size, normalised(t) * size);
    });
}

/// Returns the texel at (i, j) beyond an edge of a face. It is the texel of the neighbouring face to which a
/// direction just beyond the edge points.
template <class Pixel>
__device__ Pixel texel_across(const Plane<Pixel>& faces, int face, int i, int j) {
    const int size = faces.width;
    constexpr float beyond = 1 + 0x1p-20F;
    const auto from_middle = [size](int i) {
        if (i < 0 || i >= size) return i < 0 ? -beyond : beyond;
        return static_cast<float>(2 * i + 1 - size) / static_cast<float>(size);
    };
    const float s = from_middle(i) / beyond;
    const float t = from_middle(j) / beyond;
    constexpr float side = 1 / beyond;
    const auto there = [&] {
        switch (face) {  // the inverse of on_cube()
            case 0:
                return on_cube(side, -t, -s);
            case 1:
                return on_cube(-side, -t, s);
            case 2:
                return on_cube(s, side, t);
            case 3:
                return on_cube(s, -side, -t);
            case 4:
                return on_cube(s, -t, side);
            default:
                return on_cube(-s, -t, -side);
        }
    }();
    const auto texel = [size](float s) {
        return clamped(static_cast<int>(normalised(s) * static_cast<float>(size)), size);
    };
    return faces.behind(there.face).at(texel(there.s), texel(there.t));
}

/// Returns the texel at (i, j), on a face or beyond its edge. At a corner of the cube only three faces meet,
/// so there is no texel beyond both edges. There, returns the mean of the three texels at the corner.
template <class Pixel>
__device__ Pixel texel_of_sky(const Plane<Pixel>& faces, int face, int i, int j) {
    const int inner_i = clamped(i, faces.width);
    const int inner_j = clamped(j, faces.width);
    if (i != inner_i && j != inner_j) {
        const Pixel sum = times_plus(
            1, times_plus(1, faces.behind(face).at(inner_i, inner_j), texel_across(faces, face, i, inner_j)),
            texel_across(faces, face, inner_i, j));
        return each(sum, [](float component) { return component / 3; });
    }
    if (i != inner_i || j != inner_j) return texel_across(faces, face, i, j);
    return faces.behind(face).at(i, j);
}

/// cubemap_exact_kernel with faces that are blended across the edges of the cube.
template <class Pixel>
__global__ void cubemap_seamless_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> faces) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, width);
        const auto [face, s, t] = on_cube(x, y, z);
        const auto size = static_cast<float>(faces.width);
        const float across = normalised(s) * size - 0.5F;
        const float down = normalised(t) * size - 0.5F;
        const auto left = static_cast<int>(floorf(across));
        const auto above = static_cast<int>(floorf(down));
        const auto in_row = [&, face = face](int j) {
            return between(across - floorf(across), texel_of_sky(faces, face, left, j),
                           texel_of_sky(faces, face, left + 1, j));
        };
        return between(down - floorf(down), in_row(above), in_row(above + 1));
    });
}

}  // namespace cudabook::texture_unit
