// A copy as plain as can be: the floor for small pictures, of which cudaMemcpy() is not the quickest copy.
#pragma once

#include <cstddef>

namespace cudabook::texture_unit {

/// A thread for each of `size` elements.
__global__ inline void copy_kernel(float4* to, const float4* from, std::size_t size) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < size) to[i] = from[i];
}

}  // namespace cudabook::texture_unit
