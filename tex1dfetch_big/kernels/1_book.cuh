// The book's kernel: four textures, chosen by branches, and a partial sum for each of the 768 threads.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

/// Four textures of 2^index_bits texels each. If the array needs fewer than four textures, the last texture
/// is repeated. `mask` is as in IndexedTextures (3_texture.cuh).
struct FourTextures {
    cudaTextureObject_t t0, t1, t2, t3;
    int index_bits;
    unsigned mask;
};

template <class Texel>
__device__ Texel fetch_by_branches(const FourTextures& textures, std::size_t i) {
    const std::size_t texture = i >> textures.index_bits;
    const int texel = static_cast<int>(i & textures.mask);
    if (texture == 0) return tex1Dfetch<Texel>(textures.t0, texel);
    if (texture == 1) return tex1Dfetch<Texel>(textures.t1, texel);
    if (texture == 2) return tex1Dfetch<Texel>(textures.t2, texel);
    return tex1Dfetch<Texel>(textures.t3, texel);
}

template <class Texel>
__global__ void book_kernel(std::uint32_t* partial_sums, FourTextures textures, std::size_t texels) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t sum = 0;
    for (std::size_t i = thread; i < texels; i += gridDim.x * blockDim.x)
        sum += sum_of(fetch_by_branches<Texel>(textures, i));
    partial_sums[thread] = sum;
}

}  // namespace cudabook::tex1dfetch_big
