// Cube maps: the point of a cube's surface that a direction meets.
#pragma once

#include <cmath>

namespace cudabook::texture_unit {

/// A point of a cube map: the face, and normalised coordinates on it.
struct CubePoint {
    int face;  ///< +x, -x, +y, -y, +z, -z
    float s, t;
};

/// The point where a direction meets the cube: the guide's table. On an edge the guide leaves the face open;
/// here z comes before y before x. Coordinates of the direction 0 are NaN.
inline CubePoint cube_point(float x, float y, float z) {
    const float ax = std::fabs(x);
    const float ay = std::fabs(y);
    const float az = std::fabs(z);
    const auto on_face = [](int face, float s, float t, float major) {
        return CubePoint{face, (s / major + 1) / 2, (t / major + 1) / 2};
    };
    if (az >= ax && az >= ay) return z >= 0 ? on_face(4, x, -y, az) : on_face(5, -x, -y, az);
    if (ay >= ax) return y >= 0 ? on_face(2, x, z, ay) : on_face(3, x, -z, ay);
    return x >= 0 ? on_face(0, -z, -y, ax) : on_face(1, z, -y, ax);
}

}  // namespace cudabook::texture_unit
