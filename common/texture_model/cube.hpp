// Cube maps: the point of a cube's surface that a direction meets, and filtering across its edges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/blending.hpp"
#include "common/texture_model/reciprocal.hpp"
#include "common/texture_model/texels.hpp"

namespace cudabook::texture_unit {

/// A point of a cube map: the face, and normalised coordinates on it.
struct CubePoint {
    int face;  ///< 0 to 5: +x, -x, +y, -y, +z, -z
    float s, t;
};

/// Returns the point where a direction meets the cube, by the table in the guide. The guide does not say
/// which face has a point on an edge: the z faces come first, then the y faces, then the x faces. The kernel
/// multiplies the direction by the reciprocal of its longest component. NaN never counts as the longest
/// component. If a product is NaN or subnormal, the texture unit uses 0 instead (measured on an H200).
inline CubePoint cube_point(float x, float y, float z) {
    // std::fmax() leaves NaN out.
    const float inverse = reciprocal(std::fmax(std::fmax(std::fabs(x), std::fabs(y)), std::fabs(z)));
    const auto scaled = [inverse](float& component) {
        component *= inverse;
        const float magnitude = std::isnan(component) ? -1 : std::fabs(component);
        if (!(magnitude >= std::numeric_limits<float>::min())) component = 0;
        return magnitude;
    };
    const float ax = scaled(x);
    const float ay = scaled(y);
    const float az = scaled(z);
    // Maps -1..1 to 0..1, rounded down to a multiple of 2^-21. For subnormal directions, `along` is infinite.
    const auto normalised = [](float along) {
        return (std::floor(std::clamp(along, -1.0F, 1.0F) * 0x1p20F) + 0x1p20F) * 0x1p-21F;
    };
    const auto on_face = [&](int face, float s, float t) {
        return CubePoint{face, normalised(s), normalised(t)};
    };
    if (az >= ax && az >= ay) return z >= 0 ? on_face(4, x, -y) : on_face(5, -x, -y);
    if (ay >= ax) return y >= 0 ? on_face(2, x, z) : on_face(3, x, -z);
    return x >= 0 ? on_face(0, -z, -y) : on_face(1, z, -y);
}

struct CubeTexel {
    int face;
    int x, y;
};

/// Returns the texel of the neighbouring face that lies at (x, y), one texel beyond an edge of `face`. Either
/// x or y is -1 or `size`. A face has size × size texels.
inline CubeTexel across_edge(int face, int x, int y, int size) {
    // The coordinate of a texel's centre, from -1 to 1. A coordinate outside the face is only just beyond its
    // edge, so that the other coordinate stays in the same texel.
    const auto coordinate = [size](int i) {
        constexpr float beyond = 1 + 0x1p-20F;
        if (i < 0) return -beyond;
        return i >= size ? beyond : static_cast<float>(2 * i + 1 - size) / static_cast<float>(size);
    };
    const float s = coordinate(x);
    const float t = coordinate(y);
    // The direction of the point (s, t) on each face: the inverse of cube_point().
    const std::array<std::array<float, 3>, 6> direction{
        {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}}};
    const auto& [dx, dy, dz] = direction[static_cast<std::size_t>(face)];
    const CubePoint there = cube_point(dx, dy, dz);
    const auto texel = [size](float along) {
        return std::clamp(static_cast<int>(along * static_cast<float>(size)), 0, size - 1);
    };
    return {there.face, texel(there.s), texel(there.t)};
}

/// Adds the texels around a point to `blend`, with linear filtering that continues across the edges of the
/// cube (seamlessCubemap). texel_at(face, x, y) returns a texel. The sum of the weights is `whole`. At a
/// corner of the cube, where three faces meet, there is no fourth texel. Its weight goes to the other three
/// texels. Each of the two texels on other faces gets a third, rounded to 1/256, and the texel on this face
/// gets the rest (measured on an H200; CUDA's guide has no rule).
template <class TexelAt>
void add_across_faces(Blend& blend, const CubePoint& point, int size, double whole, TexelAt texel_at) {
    const Axis axis{size, Address::clamp, true};
    const Neighbours along_x = axis.around(point.s);
    const Neighbours along_y = axis.around(point.t);
    const auto is_outside = [size](int i) { return i < 0 || i >= size; };
    const std::array<double, 8> inside = weights({along_x.second, along_y.second, 0}, whole);
    std::array<double, 4> weight{inside[0], inside[1], inside[2], inside[3]};
    const auto x_of = [&](std::size_t corner) { return along_x.index[corner & 1U]; };
    const auto y_of = [&](std::size_t corner) { return along_y.index[corner >> 1U]; };
    for (std::size_t corner = 0; corner < 4; ++corner) {
        if (!is_outside(x_of(corner)) || !is_outside(y_of(corner))) continue;
        const double missing = weight[corner];
        const double third = rounded_weight(missing / 3);
        weight[corner] = 0;
        weight[corner ^ 1U] += third;
        weight[corner ^ 2U] += third;
        weight[corner ^ 3U] += missing - 2 * third;
    }
    blend.add_four(weight, {along_x.second, along_y.second}, [&](std::size_t corner) {
        CubeTexel texel{point.face, x_of(corner), y_of(corner)};
        if (is_outside(texel.x) || is_outside(texel.y))
            texel = across_edge(texel.face, texel.x, texel.y, size);
        return texel_at(texel.face, texel.x, texel.y);
    });
}

}  // namespace cudabook::texture_unit
