// The texture unit's arithmetic as code: the texels beside a coordinate, and their weights, which are
// multiples of 1/256. Kernels that read global memory need this code; a fetch computes the same in hardware.
#pragma once

#include "texture_unit/kernels/pixel.cuh"

namespace cudabook::texture_unit {

/// What is read beyond an edge of the texture. clamp: the nearest texel. border: 0. wrap: the texture,
/// repeated. mirror: the texture, repeated as its mirror image.
enum class Edge { clamp, border, wrap, mirror };

/// Returns index modulo period, from 0 to period - 1. The quotient is computed with floats and can be off
/// by one; this error is corrected.
__device__ inline int modulo(int index, int period) {
    const float inverse = 1.0F / static_cast<float>(period);
    const int rest = index - static_cast<int>(floorf(static_cast<float>(index) * inverse)) * period;
    return rest < 0 ? rest + period : rest >= period ? rest - period : rest;
}

__device__ inline int clamped(int index, int size) { return min(max(index, 0), size - 1); }

/// The indices of two neighbouring texels after the address mode has changed them. With Edge::border, indices
/// beyond the edges are not changed, because there is no texel.
struct Pair {
    int first, second;
};
template <Edge edge>
__device__ Pair pair_at(int first, int size) {
    if constexpr (edge == Edge::clamp) return {clamped(first, size), clamped(first + 1, size)};
    if constexpr (edge == Edge::border) return {first, first + 1};
    const int period = edge == Edge::wrap ? size : 2 * size;
    const int a = modulo(first, period);
    const int b = a + 1 == period ? 0 : a + 1;
    if constexpr (edge == Edge::wrap) return {a, b};
    return {min(a, period - 1 - a), min(b, period - 1 - b)};
}

/// Converts a normalised coordinate to texels, after rounding down to a multiple of 2^-21, as the unit does.
__device__ inline float in_texels(float x, int size) {
    return floorf(x * 0x1p21F) * (static_cast<float>(size) * 0x1p-21F);
}

/// The two texels on either side of a coordinate, and the weight of the second texel.
struct Beside {
    Pair texels;
    float weight;
};

/// Returns the texels on either side of `x`, which is in texels: the centre of texel i is at i + 0.5.
template <Edge edge>
__device__ Beside beside(float x, int size) {
    const float in_256ths = floorf(fmaf(x, 256.0F, -127.5F));  // from texel 0's centre, halves rounded up
    const float whole = floorf(in_256ths / 256.0F);
    const int first = static_cast<int>(whole);
    const bool at_edge = edge == Edge::clamp && (first < 0 || first >= size - 1);
    return {pair_at<edge>(first, size), at_edge ? 0.0F : in_256ths / 256.0F - whole};
}

/// The weights of four texels.
struct Weights {
    float left_above, right_above, left_below, right_below;
};

/// Returns the weights of four texels. x and y are the weight of the right texels and the weight of the lower
/// texels. `whole` is the sum of all four weights. The unit first rounds the weight of the two right texels
/// together. Then it rounds the weight of the upper left texel and the weight of the lower right texel. The
/// two other texels get the remainders.
__device__ inline Weights weights_of_four(float x, float y, float whole = 1) {
    const auto rounded = [](float weight) { return floorf(fmaf(weight, 256.0F, 0.5F)) / 256.0F; };
    const float right = rounded(whole * x);
    const float left = whole - right;
    const float left_above = rounded(left * (1 - y));
    const float right_below = rounded(right * y);
    return {left_above, right - right_below, left - left_above, right_below};
}

/// A plane of texels in global memory.
template <class Texel>
struct Plane {
    const Texel* texels;
    int width, height;

    /// Returns the plane that is i planes behind this plane: in a volume, in a sequence of layers, or in the
    /// faces of a cube.
    __device__ Plane behind(int i) const {
        return {texels + static_cast<long long>(i) * width * height, width, height};
    }

    __device__ Texel at(int x, int y) const { return texels[y * width + x]; }
};

/// A plane with a border of zeros.
template <class Texel>
struct BorderedPlane : Plane<Texel> {
    __device__ Texel at(int x, int y) const {
        const bool is_inside = x >= 0 && x < this->width && y >= 0 && y < this->height;
        return is_inside ? Plane<Texel>::at(x, y) : Texel{};
    }
};

/// Returns the blend of the four texels with their weights. value(texel) returns the value of a texel.
template <class Texels, class Value>
__device__ auto blend(const Texels& plane, const Beside& x, const Beside& y, const Weights& weights,
                      Value value) {
    return times_plus(
        weights.right_below, value(plane.at(x.texels.second, y.texels.second)),
        times_plus(weights.left_below, value(plane.at(x.texels.first, y.texels.second)),
                   times_plus(weights.right_above, value(plane.at(x.texels.second, y.texels.first)),
                              times(weights.left_above, value(plane.at(x.texels.first, y.texels.first))))));
}
template <class Texels>
__device__ auto blend(const Texels& plane, const Beside& x, const Beside& y, float whole = 1) {
    return blend(plane, x, y, weights_of_four(x.weight, y.weight, whole), [](auto texel) { return texel; });
}

}  // namespace cudabook::texture_unit
