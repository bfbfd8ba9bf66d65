// Cube maps: the point of a cube's surface that a direction meets, and filtering across its edges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "common/texture_unit/addressing.hpp"
#include "common/texture_unit/blending.hpp"
#include "common/texture_unit/texels.hpp"

namespace cudabook::texture_unit {

/// A point of a cube map: the face, and normalised coordinates on it.
struct CubePoint {
    int face;  ///< +x, -x, +y, -y, +z, -z
    float s, t;
};

/// 1/x as kernels compute it for a direction (MUFU.RCP), within 1 unit in the last place. Its table is not
/// published; the float above the reciprocal is taken only where it is clearly the nearer one, which gives
/// the texel of an H200 for each direction of tests/emulation/features/textures.cu.
inline float reciprocal(float x) {
    const double exact = 1 / static_cast<double>(x);
    const auto nearest = static_cast<float>(exact);
    if (!(static_cast<double>(nearest) > exact) || std::isinf(nearest)) return nearest;
    const float below = std::nextafter(nearest, 0.0F);
    constexpr double clearly = 0.525;
    const double share =
        (exact - static_cast<double>(below)) / (static_cast<double>(nearest) - static_cast<double>(below));
    return share > clearly ? nearest : below;
}

/// The point where a direction meets the cube: the guide's table. On an edge the guide leaves the face open;
/// here z comes before y before x. The kernel multiplies the direction by the reciprocal of its longest
/// component; what is then NaN, as are the components of the direction 0, is 0 (measured on an H200).
inline CubePoint cube_point(float x, float y, float z) {
    // std::fmax() leaves NaN out.
    const float inverse = reciprocal(std::fmax(std::fmax(std::fabs(x), std::fabs(y)), std::fabs(z)));
    for (float* component : {&x, &y, &z}) {
        *component *= inverse;
        if (std::isnan(*component)) *component = 0;
    }
    const float ax = std::fabs(x);
    const float ay = std::fabs(y);
    const float az = std::fabs(z);
    // From -1..1 to 0..1, towards 0: what is just below 1 stays there.
    const auto normalised = [](float along) {
        const double exact = (static_cast<double>(along) + 1) / 2;
        const auto nearest = static_cast<float>(exact);
        return static_cast<double>(nearest) > exact ? std::nextafter(nearest, 0.0F) : nearest;
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

/// The texel beside an edge of a face of size × size texels, on the face that it meets there. One of x and y
/// is -1 or `size`.
inline CubeTexel across_edge(int face, int x, int y, int size) {
    // From -1 to 1; just beyond the edge, the other coordinate keeps to its texel.
    const auto coordinate = [size](int i) {
        constexpr float beyond = 1 + 0x1p-20F;
        if (i < 0) return -beyond;
        return i >= size ? beyond : static_cast<float>(2 * i + 1 - size) / static_cast<float>(size);
    };
    const float s = coordinate(x);
    const float t = coordinate(y);
    // The directions of the points of a face, from cube_point() read backwards.
    const std::array<std::array<float, 3>, 6> direction{
        {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}}};
    const auto& [dx, dy, dz] = direction[static_cast<std::size_t>(face)];
    const CubePoint there = cube_point(dx, dy, dz);
    const auto texel = [size](float along) {
        return std::clamp(static_cast<int>(along * static_cast<float>(size)), 0, size - 1);
    };
    return {there.face, texel(there.s), texel(there.t)};
}

/// Adds the texels around a point to `blend`, with linear filtering that goes on across the edges of the cube
/// (seamlessCubemap): texel_at(face, x, y) gives a texel, the weights sum to `whole`. At a corner, where
/// three faces meet, the fourth texel is the mean of the three: OpenGL's rule (ARB_seamless_cube_map); CUDA's
/// guide has none.
template <class TexelAt>
void add_across_faces(Blend& blend, const CubePoint& point, int size, double whole, TexelAt texel_at) {
    const Axis axis{size, Address::clamp, true};
    const auto across = [&](int x, int y) {
        const CubeTexel other = across_edge(point.face, x, y, size);
        return texel_at(other.face, other.x, other.y);
    };
    blend.add({axis.around(point.s), axis.around(point.t), Neighbours{}}, whole,
              [&](int x, int y, int /*z*/) -> Texel {
                  const int inner_x = std::clamp(x, 0, size - 1);
                  const int inner_y = std::clamp(y, 0, size - 1);
                  if (x == inner_x && y == inner_y) return texel_at(point.face, x, y);
                  if (x == inner_x || y == inner_y) return across(x, y);
                  const Texel a = texel_at(point.face, inner_x, inner_y);
                  const Texel b = across(x, inner_y);
                  const Texel c = across(inner_x, y);
                  Texel mean{};
                  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (a[i] + b[i] + c[i]) / 3;
                  return mean;
              });
}

}  // namespace cudabook::texture_unit
