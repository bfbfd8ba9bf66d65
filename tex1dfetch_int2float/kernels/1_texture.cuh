// The book's kernel: it fetches texels, which the texture unit has converted, and writes the results.
#pragma once

#include <cstddef>

#include "tex1dfetch_int2float/kernels/bits.cuh"

namespace cudabook::tex1dfetch_int2float {

/// Reads texels `first` to `first` + `size` - 1, which may be outside the texture. Texel: the result type of
/// tex1Dfetch, such as float4 or char4. Bits: a type with a word of 32 bits for each component of a Texel.
template <class Texel, class Bits>
__global__ void texture_kernel(Bits* out, cudaTextureObject_t texture, int first, std::size_t size) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride)
        out[i] = transform_components(tex1Dfetch<Texel>(texture, first + static_cast<int>(i)),
                                      [](auto component) { return bits_of(component); });
}

}  // namespace cudabook::tex1dfetch_int2float
