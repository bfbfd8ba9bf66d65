// What the texture unit does with a coordinate, written out: the texels beside it and their weights, which
// are multiples of 1/256. Kernels that read global memory need it; a fetch does it on its own.
#pragma once

#include "common/cuda/ptx/prefetch.cuh"
#include "texture_unit/kernels/pixel.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// What is read beyond an edge: the nearest texel, 0, the texture again, or its mirror image.
enum class Edge { clamp, border, wrap, mirror };

/// index modulo period, from 0 on. The quotient of floats can be one off.
__device__ inline int modulo(int index, int period) {
    const float inverse = 1.0F / static_cast<float>(period);
    const int rest = index - static_cast<int>(floorf(static_cast<float>(index) * inverse)) * period;
    return rest < 0 ? rest + period : rest >= period ? rest - period : rest;
}

/// The texel with an index, which may be beyond an edge; the border is where no texel is.
template <Edge edge>
__device__ int resolved(int index, int size) {
    if constexpr (edge == Edge::clamp) return min(max(index, 0), size - 1);
    if constexpr (edge == Edge::border) return index;
    if constexpr (edge == Edge::wrap) return modulo(index, size);
    const int there_and_back = modulo(index, 2 * size);
    return min(there_and_back, 2 * size - 1 - there_and_back);
}

/// A normalised coordinate, which the unit knows to 2^-21, in texels.
__device__ inline float in_texels(float x, int size) {
    return floorf(x * 0x1p21F) * (static_cast<float>(size) * 0x1p-21F);
}

/// The two texels on either side of a coordinate, and the weight of the second one.
struct Beside {
    int first, second;
    float weight;
};

/// `x` in texels: the centre of texel i is at i + 0.5.
template <Edge edge>
__device__ Beside beside(float x, int size) {
    const float in_256ths = floorf(fmaf(x, 256.0F, -127.5F));  // from a centre, rounded half up
    const float whole = floorf(in_256ths / 256.0F);
    const int first = static_cast<int>(whole);
    const bool at_edge = edge == Edge::clamp && (first < 0 || first >= size - 1);
    return {resolved<edge>(first, size), resolved<edge>(first + 1, size),
            at_edge ? 0.0F : in_256ths / 256.0F - whole};
}

/// The weights of four texels.
struct Weights {
    float left_above, right_above, left_below, right_below;
};

/// x, y: the weights of the right and of the lower texels; `whole`: the sum of all four. The unit rounds the
/// weight of the right ones, then what is above on the left and below on the right; the others get the rest.
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

    /// The i-th plane of many that follow each other: of a volume, of layers, of a cube's faces.
    __device__ Plane behind(int i) const {
        return {texels + static_cast<long long>(i) * width * height, width, height};
    }

    __device__ Texel at(int x, int y) const { return texels[y * width + x]; }
};

/// Prefetches the texels that a later block fetches: those of the pixels some rows further down. A thread in
/// eight does it, for 32 bytes.
template <class Texel>
__device__ void prefetch_later(const Plane<Texel>& plane, const View& view) {
    constexpr int rows_ahead = 64;
    if (threadIdx.x % 8 != 0) return;
    const auto column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto first = static_cast<int>(blockIdx.y * blockDim.y * rows_of_thread + threadIdx.y) + rows_ahead;
#pragma unroll
    for (int i = 0; i < rows_of_thread; ++i) {
        const int row = first + i * static_cast<int>(blockDim.y);
        const auto x = static_cast<int>(view.x.of(column, row));
        const auto y = static_cast<int>(view.y.of(column, row));
        prefetch_to_l2(&plane.texels[resolved<Edge::clamp>(y, plane.height) * plane.width +
                                     resolved<Edge::clamp>(x, plane.width)]);
    }
}

/// A plane with a border of zeros.
template <class Texel>
struct BorderedPlane {
    Plane<Texel> plane;

    __device__ Texel at(int x, int y) const {
        return x >= 0 && x < plane.width && y >= 0 && y < plane.height ? plane.at(x, y) : Texel{};
    }
};

/// The blend of the four texels with their weights; value(texel) is what a texel is worth.
template <class Texels, class Value>
__device__ auto blend(const Texels& plane, const Beside& x, const Beside& y, const Weights& weights,
                      Value value) {
    return times_plus(weights.right_below, value(plane.at(x.second, y.second)),
                      times_plus(weights.left_below, value(plane.at(x.first, y.second)),
                                 times_plus(weights.right_above, value(plane.at(x.second, y.first)),
                                            times(weights.left_above, value(plane.at(x.first, y.first))))));
}
template <class Texels>
__device__ auto blend(const Texels& plane, const Beside& x, const Beside& y, float whole = 1) {
    return blend(plane, x, y, weights_of_four(x.weight, y.weight, whole), [](auto texel) { return texel; });
}

/// a + weight · (b - a).
template <class Pixel>
__device__ Pixel between(float weight, Pixel a, Pixel b) {
    return times_plus(weight, b, times_plus(-weight, a, a));
}

/// The blend of the four texels around a point with weights that are not rounded; texel(x, y) gives one,
/// whose indices may be beyond an edge.
template <class Pixel, class TexelAt>
__device__ Pixel blend_exactly(float x, float y, TexelAt texel) {
    const float left = floorf(x - 0.5F);
    const float above = floorf(y - 0.5F);
    const auto row = [&](int j) {
        return between(x - 0.5F - left, texel(static_cast<int>(left), j),
                       texel(static_cast<int>(left) + 1, j));
    };
    return between(y - 0.5F - above, row(static_cast<int>(above)), row(static_cast<int>(above) + 1));
}

}  // namespace cudabook::texture_unit
