// Gathering: one fetch returns one component of each of the four texels that linear filtering would blend. A
// kernel can then compute something other than a blend: here, the change of brightness between opposite
// corners (the Roberts cross), which finds edges.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// Returns the change of brightness between opposite corners. `corners` are counter-clockwise from the lower
/// left, if y points down.
__device__ inline float cross(float4 corners) {
    return fabsf(corners.x - corners.z) + fabsf(corners.y - corners.w);
}

__device__ inline float cross_of(cudaTextureObject_t texture, float x, float y, float) {
    return cross(tex2Dgather<float4>(texture, x, y, 0));
}
__device__ inline float4 cross_of(cudaTextureObject_t texture, float x, float y, float4) {
    return make_float4(
        cross(tex2Dgather<float4>(texture, x, y, 0)), cross(tex2Dgather<float4>(texture, x, y, 1)),
        cross(tex2Dgather<float4>(texture, x, y, 2)), cross(tex2Dgather<float4>(texture, x, y, 3)));
}

template <class Pixel>
__global__ void gather_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return cross_of(texture, view.x.of(column, row), view.y.of(column, row), Pixel{});
    });
}

__device__ inline float cross(float left_below, float right_below, float right_above, float left_above) {
    return cross(make_float4(left_below, right_below, right_above, left_above));
}
__device__ inline float4 cross(float4 left_below, float4 right_below, float4 right_above, float4 left_above) {
    return make_float4(cross(left_below.x, right_below.x, right_above.x, left_above.x),
                       cross(left_below.y, right_below.y, right_above.y, left_above.y),
                       cross(left_below.z, right_below.z, right_above.z, left_above.z),
                       cross(left_below.w, right_below.w, right_above.w, left_above.w));
}

/// gather_kernel by hand, with four loads.
template <class Pixel>
__global__ void gather_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Beside x = beside<Edge::clamp>(view.x.of(column, row), plane.width);
        const Beside y = beside<Edge::clamp>(view.y.of(column, row), plane.height);
        return cross(plane.at(x.texels.first, y.texels.second), plane.at(x.texels.second, y.texels.second),
                     plane.at(x.texels.second, y.texels.first), plane.at(x.texels.first, y.texels.first));
    });
}

}  // namespace cudabook::texture_unit
