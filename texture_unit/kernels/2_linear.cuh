// Linear filtering in one, two and three dimensions: the texels around a point, blended with weights of
// 8 bits.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"
#include "texture_unit/kernels/prefetch_later.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

template <class Pixel>
__global__ void linear1d_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height,
                [&](int column, int row) { return tex1D<Pixel>(texture, view.x.of(column, row)); });
}

// The kernel for two dimensions is fetch2d_kernel: the filter is a property of the texture object.

/// fetch2d_kernel for a texture over linear memory, where texels have addresses. The unit serves its fetches
/// in order: while a fetch waits for memory, all later fetches wait too. A plain prefetch does not wait in
/// this queue. So the kernel prefetches the texels of later blocks to the L2 cache.
template <class Pixel>
__global__ void fetch2d_prefetched_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture,
                                          Plane<Pixel> plane, View view) {
    prefetch_later(plane, view);
    make_pixels(out, width, height, [&](int column, int row) {
        return tex2D<Pixel>(texture, view.x.of(column, row), view.y.of(column, row));
    });
}

/// The picture is a slice through a volume. blockIdx.z is the number of the slice. Neighbouring slices are
/// one texel apart.
template <class Pixel>
__global__ void linear3d_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto slice = static_cast<int>(blockIdx.z);
        return tex3D<Pixel>(texture, view.x.of(column, row), view.y.of(column, row),
                            view.z.of(column, row) + static_cast<float>(slice));
    });
}

// The filters by hand.

template <class Pixel>
__global__ void linear1d_global_kernel(Pixel* out, int width, int height, Plane<Pixel> line, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const Beside x = beside<Edge::clamp>(view.x.of(column, row), line.width);
        return times_plus(x.weight, line.at(x.texels.second, 0),
                          times(1 - x.weight, line.at(x.texels.first, 0)));
    });
}

template <class Pixel>
__global__ void linear_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return blend(plane, beside<Edge::clamp>(view.x.of(column, row), plane.width),
                     beside<Edge::clamp>(view.y.of(column, row), plane.height));
    });
}

/// `plane` is the first of the volume's `depth` planes, which are consecutive in memory.
template <class Pixel>
__global__ void linear3d_global_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, int depth,
                                       View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const auto slice = static_cast<int>(blockIdx.z);
        const Beside x = beside<Edge::clamp>(view.x.of(column, row), plane.width);
        const Beside y = beside<Edge::clamp>(view.y.of(column, row), plane.height);
        const Beside z = beside<Edge::clamp>(view.z.of(column, row) + static_cast<float>(slice), depth);
        return times_plus(1, blend(plane.behind(z.texels.first), x, y, 1 - z.weight),
                          blend(plane.behind(z.texels.second), x, y, z.weight));
    });
}

// With weights that are not rounded.

template <class Pixel>
__global__ void linear1d_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> line, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float x = view.x.of(column, row) - 0.5F;
        const Pair texels = pair_at<Edge::clamp>(static_cast<int>(floorf(x)), line.width);
        return between(x - floorf(x), line.at(texels.first, 0), line.at(texels.second, 0));
    });
}

template <class Pixel>
__global__ void linear_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        return blend_exactly<Edge::clamp>(plane, view.x.of(column, row), view.y.of(column, row));
    });
}

template <class Pixel>
__global__ void linear_prefetched_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane,
                                               View view) {
    prefetch_later(plane, view);
    make_pixels(out, width, height, [&](int column, int row) {
        return blend_exactly<Edge::clamp>(plane, view.x.of(column, row), view.y.of(column, row));
    });
}

template <class Pixel>
__global__ void linear3d_exact_kernel(Pixel* out, int width, int height, Plane<Pixel> plane, int depth,
                                      View view) {
    make_pixels(out, width, height, [&](int column, int row) {
        const float z = view.z.of(column, row) + static_cast<float>(blockIdx.z) - 0.5F;
        const Pair planes = pair_at<Edge::clamp>(static_cast<int>(floorf(z)), depth);
        const auto in_plane = [&](int k) {
            return blend_exactly<Edge::clamp>(plane.behind(k), view.x.of(column, row),
                                              view.y.of(column, row));
        };
        return between(z - floorf(z), in_plane(planes.first), in_plane(planes.second));
    });
}

}  // namespace cudabook::texture_unit
