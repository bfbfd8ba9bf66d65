// As texture, but without the texture unit: plain loads read the texels, and code converts them.
#pragma once

#include <cstddef>

#include <cuda_fp16.h>

#include "tex1dfetch_int2float/kernels/bits.cuh"

namespace cudabook::tex1dfetch_int2float {

/// Keeps the value of an integer.
struct KeepInteger {
    __device__ std::uint32_t operator()(int component) const { return bits_of(component); }
};

/// Maps -most … most to -1 … 1, and anything below to -1.
struct Normalise {
    float most;
    __device__ std::uint32_t operator()(int component) const {
        return bits_of(fmaxf(static_cast<float>(component) / most, -1.0F));
    }
};

/// Converts a half to a float. The conversion instruction would map all NaNs to a single NaN. The texture
/// unit keeps the bits of a NaN, and so does this function.
struct ConvertHalf {
    __device__ std::uint32_t operator()(unsigned short component) const {
        const __half half = __ushort_as_half(component);
        if (!__hisnan(half)) return bits_of(__half2float(half));
        return (component & 0x8000U) << 16 | 0x7f800000U | (component & 0x3ffU) << 13;
    }
};

/// Texel: the type in which a texel is stored, such as char4. Bits: a type with a word of 32 bits for each
/// component of a Texel.
template <class Texel, class Convert, class Bits>
__global__ void global_kernel(Bits* out, const Texel* texels, std::size_t size, Convert convert) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride)
        out[i] = transform_components(texels[i], convert);
}

}  // namespace cudabook::tex1dfetch_int2float
