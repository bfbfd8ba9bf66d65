// The whole sky as a square picture.
#pragma once

#include <cmath>

#include "common/cuda/host_device.hpp"

namespace cudabook::texture_unit {

struct Direction {
    float x, y, z;
};

/// Returns the direction that pixel (column, row) shows, in a picture of size × size pixels. y points up. The
/// middle of the picture shows the zenith, and all four corners show the direction straight down. The
/// octahedron |x| + |y| + |z| = 1 is unfolded onto the picture. Source of this map: Engelhardt and
/// Dachsbacher, "Octahedron Environment Maps", VMV 2008. The direction is scaled so that its longest
/// component is 1 or -1. Then the texture unit need not divide by this component, which it would do
/// inexactly.
CUDABOOK_HOST_DEVICE inline Direction direction_of(int column, int row, int size) {
    const auto from_minus_1 = [size](int i) {
        return static_cast<float>(2 * i + 1) / static_cast<float>(size) - 1;
    };
    float x = from_minus_1(column);
    float z = from_minus_1(row);
    const float y = 1 - fabsf(x) - fabsf(z);
    if (y < 0) {
        const float folded_x = copysignf(1 - fabsf(z), x);
        z = copysignf(1 - fabsf(x), z);
        x = folded_x;
    }
    const float longest = fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z));
    return {x / longest, y / longest, z / longest};
}

}  // namespace cudabook::texture_unit
