// Prefetches texels for later blocks.
#pragma once

#include "common/cuda/ptx/prefetch.cuh"
#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// Prefetches the texels of pixels that are 64 rows further down, because other blocks soon draw these
/// pixels. Only one thread in eight prefetches. This suffices if neighbouring pixels read neighbouring texels
/// of 4 bytes, because a prefetch brings 32 bytes.
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
        prefetch_to_l2(&plane.texels[clamped(y, plane.height) * plane.width + clamped(x, plane.width)]);
    }
}

}  // namespace cudabook::texture_unit
