// A function given by a table: each pixel of a picture goes through a tone curve. The unit interpolates
// between the entries. Source: CUDA C++ Programming Guide, "Table Lookup".
#pragma once

#include "texture_unit/kernels/by_hand.cuh"

namespace cudabook::texture_unit {

/// `per_value` is the number of entries per unit of the argument, (entries - 1) / range. So argument 0 is at
/// the centre of the first entry, and argument `range` is at the centre of the last entry.
template <class Pixel>
__global__ void lookup_kernel(Pixel* out, int width, int height, cudaTextureObject_t curve, const Pixel* in,
                              float per_value) {
    make_pixels(out, width, height, [&](int column, int row) {
        return each(in[row * width + column],
                    [&](float value) { return tex1D<float>(curve, fmaf(value, per_value, 0.5F)); });
    });
}

/// The lookup by hand: two entries, blended with the weight of the second entry.
__device__ inline float looked_up(const float* curve, int entries, float x) {
    const auto [texels, weight] = beside<Edge::clamp>(x, entries);
    return fmaf(weight, curve[texels.second], (1 - weight) * curve[texels.first]);
}

template <class Pixel>
__global__ void lookup_global_kernel(Pixel* out, int width, int height, const float* curve, int entries,
                                     const Pixel* in, float per_value) {
    make_pixels(out, width, height, [&](int column, int row) {
        return each(in[row * width + column],
                    [&](float value) { return looked_up(curve, entries, fmaf(value, per_value, 0.5F)); });
    });
}

constexpr int most_entries = 256;
__constant__ static float constant_curve[most_entries];

/// lookup_global_kernel with the table in constant memory. Threads of a warp that read different entries wait
/// for each other.
template <class Pixel>
__global__ void lookup_constant_kernel(Pixel* out, int width, int height, int entries, const Pixel* in,
                                       float per_value) {
    make_pixels(out, width, height, [&](int column, int row) {
        return each(in[row * width + column], [&](float value) {
            return looked_up(constant_curve, entries, fmaf(value, per_value, 0.5F));
        });
    });
}

/// lookup_global_kernel with the table in shared memory. Each block first copies the table.
template <class Pixel>
__global__ void lookup_shared_kernel(Pixel* out, int width, int height, const float* curve, int entries,
                                     const Pixel* in, float per_value) {
    __shared__ float copy[most_entries];
    for (auto i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); i < entries;
         i += static_cast<int>(blockDim.x * blockDim.y))
        copy[i] = curve[i];
    __syncthreads();
    make_pixels(out, width, height, [&](int column, int row) {
        return each(in[row * width + column],
                    [&](float value) { return looked_up(copy, entries, fmaf(value, per_value, 0.5F)); });
    });
}

}  // namespace cudabook::texture_unit
