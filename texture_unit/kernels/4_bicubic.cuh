// A smoother filter than the unit has: cubic B-splines over 4 × 4 texels. Four linear fetches replace
// sixteen fetches of single texels: between two texels there is a coordinate at which the unit blends them
// with the right weights. Source: Sigg and Hadwiger, "Fast Third-Order Texture Filtering", GPU Gems 2,
// chapter 20.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/prefetch_later.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// Returns the weight of the second texel, divided by the sum of the weights of the first two texels, for a
/// point `t` texels (0 to 1) after the second texel. The polynomial's error, less than 1/7000, is small
/// beside the unit's rounding of coordinates to 1/256.
__device__ inline float share_of_second(float t) {
    float share = 0.0883117F;
    for (const float next : {-0.26847626F, 0.34328727F, -0.44450558F, 0.48126399F, 0.79998192F})
        share = fmaf(share, t, next);
    return share;
}

/// Two linear fetches along one dimension, for the point `x`.
struct Fetches {
    float near, far;                ///< the coordinates of the two fetches
    float near_weight, far_weight;  ///< the weights of the two fetches
    __device__ explicit Fetches(float x) {
        const float centre = floorf(x - 0.5F) + 0.5F;
        const float t = x - centre;
        near_weight = fmaf(fmaf(fmaf(1.0F / 3, t, -0.5F), t, -0.5F), t, 5.0F / 6);
        far_weight = 1 - near_weight;
        near = centre - 1 + share_of_second(t);
        far = centre + 2 - share_of_second(1 - t);
    }
};

template <class Pixel>
__device__ Pixel bicubic_fetch(cudaTextureObject_t texture, const Fetches& x, const Fetches& y) {
    const auto along_row = [&](float y) {
        return times_plus(x.far_weight, tex2D<Pixel>(texture, x.far, y),
                          times(x.near_weight, tex2D<Pixel>(texture, x.near, y)));
    };
    return times_plus(y.far_weight, along_row(y.far), times(y.near_weight, along_row(y.near)));
}

template <class Pixel>
__global__ void bicubic_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return bicubic_fetch<Pixel>(texture, Fetches(view.x.of(column, row)),
                                    Fetches(view.y.of(column, row)));
    });
}

/// bicubic_kernel for a texture over linear memory, with prefetches as in fetch2d_prefetched_kernel.
template <class Pixel>
__global__ void bicubic_prefetched_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture,
                                          Plane<Pixel> plane, View view) {
    prefetch_later(plane, view);
    make_pixels(out, width, height, [&](int column, int row) {
        return bicubic_fetch<Pixel>(texture, Fetches(view.x.of(column, row)),
                                    Fetches(view.y.of(column, row)));
    });
}

/// The weights of four consecutive texels for a point `t` texels (0 to 1) after the second texel.
struct Cubic {
    float first, second, third, fourth;
    __device__ explicit Cubic(float t) {
        const float rest = 1 - t;
        first = rest * rest * rest * (1.0F / 6);
        second = fmaf(t * t, fmaf(t, 0.5F, -1.0F), 2.0F / 3);
        third = fmaf(rest * rest, fmaf(rest, 0.5F, -1.0F), 2.0F / 3);
        fourth = t * t * t * (1.0F / 6);
    }
};

/// The filter by hand, with sixteen loads. Indices are clamped only near the edges.
template <class Pixel>
__device__ Pixel bicubic_exactly(const Plane<Pixel>& plane, float x, float y) {
    const Cubic across(x - 0.5F - floorf(x - 0.5F));
    const Cubic down(y - 0.5F - floorf(y - 0.5F));
    const int left = static_cast<int>(floorf(x - 0.5F)) - 1;
    const int above = static_cast<int>(floorf(y - 0.5F)) - 1;
    const auto sum = [](const Cubic& weights, auto value) {
        return times_plus(weights.fourth, value(3),
                          times_plus(weights.third, value(2),
                                     times_plus(weights.second, value(1), times(weights.first, value(0)))));
    };
    const auto sum_of = [&](auto texel) {
        return sum(down, [&](int j) { return sum(across, [&](int i) { return texel(i, j); }); });
    };
    if (left >= 0 && left + 3 < plane.width && above >= 0 && above + 3 < plane.height) {
        const Pixel* corner = &plane.texels[above * plane.width + left];
        return sum_of([&](int i, int j) { return corner[j * plane.width + i]; });
    }
    return sum_of([&](int i, int j) {
        return plane.at(clamped(left + i, plane.width), clamped(above + j, plane.height));
    });
}

template <class Pixel>
__global__ void bicubic_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return bicubic_exactly(plane, view.x.of(column, row), view.y.of(column, row));
    });
}

template <class Pixel>
__global__ void bicubic_prefetched_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane,
                                                View view) {
    prefetch_later(plane, view);
    make_pixels(out, width, height, [&](int column, int row) {
        return bicubic_exactly(plane, view.x.of(column, row), view.y.of(column, row));
    });
}

}  // namespace cudabook::texture_unit
