// Arithmetic on a pixel, which is one float or four. Its texels are stored as floats or as bytes.
#pragma once

#include <cstddef>

namespace cudabook::texture_unit {

__device__ inline float times(float weight, float a) { return weight * a; }
__device__ inline float4 times(float weight, float4 a) {
    return make_float4(weight * a.x, weight * a.y, weight * a.z, weight * a.w);
}

/// Returns weight · a + b, rounded once.
__device__ inline float times_plus(float weight, float a, float b) { return fmaf(weight, a, b); }
__device__ inline float4 times_plus(float weight, float4 a, float4 b) {
    return make_float4(fmaf(weight, a.x, b.x), fmaf(weight, a.y, b.y), fmaf(weight, a.z, b.z),
                       fmaf(weight, a.w, b.w));
}

/// Applies `function` to each component.
template <class Function>
__device__ float each(float a, Function function) {
    return function(a);
}
template <class Function>
__device__ float4 each(float4 a, Function function) {
    return make_float4(function(a.x), function(a.y), function(a.z), function(a.w));
}

/// Converts the bytes of a texel to floats from 0 to 255.
__device__ inline float as_floats(unsigned char a) { return static_cast<float>(a); }
__device__ inline float4 as_floats(uchar4 a) {
    return make_float4(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z),
                       static_cast<float>(a.w));
}

/// The type with as many bytes as a pixel has floats.
template <class Pixel>
struct BytesOf;
template <>
struct BytesOf<float> {
    using Type = unsigned char;
};
template <>
struct BytesOf<float4> {
    using Type = uchar4;
};
template <class Pixel>
using Bytes = typename BytesOf<Pixel>::Type;

/// The number of pixels that a thread makes, in one column. The loads for all these pixels are in flight
/// together.
constexpr int rows_of_thread = 4;

/// Makes this thread's pixels of a picture of width × height pixels, row-major. blockIdx.z is the number of
/// the picture.
template <class Pixel, class PixelAt>
__device__ void make_pixels(Pixel* out, int width, int height, PixelAt pixel_at) {
    const auto column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto first = static_cast<int>(blockIdx.y * blockDim.y * rows_of_thread + threadIdx.y);
    const auto step = static_cast<int>(blockDim.y);
    if (column >= width) return;
    Pixel pixels[rows_of_thread];
#pragma unroll
    for (int i = 0; i < rows_of_thread; ++i) pixels[i] = pixel_at(column, min(first + i * step, height - 1));
    out += static_cast<std::size_t>(blockIdx.z) * width * height;
#pragma unroll
    for (int i = 0; i < rows_of_thread; ++i)
        if (first + i * step < height) out[(first + i * step) * width + column] = pixels[i];
}

}  // namespace cudabook::texture_unit
