// The blends that most people would write by hand: their weights are not rounded.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"

namespace cudabook::texture_unit {

/// Returns a + weight · (b - a).
template <class Pixel>
__device__ Pixel between(float weight, Pixel a, Pixel b) {
    return times_plus(weight, b, times_plus(-weight, a, a));
}

/// Returns the blend of the four texels around (x, y), where x and y are in texels. value(texel) returns the
/// value of a texel.
template <Edge edge, class Texels, class Value>
__device__ auto blend_exactly(const Texels& plane, float x, float y, Value value) {
    const float left = floorf(x - 0.5F);
    const float above = floorf(y - 0.5F);
    const Pair columns = pair_at<edge>(static_cast<int>(left), plane.width);
    const Pair rows = pair_at<edge>(static_cast<int>(above), plane.height);
    const auto in_row = [&](int row) {
        return between(x - 0.5F - left, value(plane.at(columns.first, row)),
                       value(plane.at(columns.second, row)));
    };
    return between(y - 0.5F - above, in_row(rows.first), in_row(rows.second));
}
template <Edge edge, class Texels>
__device__ auto blend_exactly(const Texels& plane, float x, float y) {
    return blend_exactly<edge>(plane, x, y, [](auto texel) { return texel; });
}

}  // namespace cudabook::texture_unit
