// The sum through indexed textures, which the book wished for: any number of texture objects, chosen by
// index.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

/// An array in textures of 2^index_bits texels each. `mask` keeps the bits of a texel's index that count
/// within its texture: index_bits of them, or more where a texture's memory has to begin before its first
/// texel to be aligned.
struct IndexedTextures {
    const cudaTextureObject_t* textures;
    int index_bits;
    unsigned mask;
};

template <class Texel>
__device__ Texel fetch_by_index(const IndexedTextures& array, std::size_t i) {
    return tex1Dfetch<Texel>(array.textures[i >> array.index_bits], static_cast<int>(i & array.mask));
}

template <class Texel>
__global__ void texture_kernel(std::uint32_t* total, IndexedTextures array, std::size_t texels) {
    add_block_sum(total, grid_sum(texels, [&](std::size_t i) { return fetch_by_index<Texel>(array, i); }));
}

}  // namespace cudabook::tex1dfetch_big
