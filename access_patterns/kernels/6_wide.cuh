// The handbook's trick for narrow elements: the texture has texels of 16 bytes, and the kernel picks the
// wanted element from a texel. In this way a texture covers up to 16 times as many bytes.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

__device__ inline std::uint32_t word_of(uint4 texel, unsigned i) {
    const std::uint32_t low = (i & 1U) != 0 ? texel.y : texel.x;
    const std::uint32_t high = (i & 1U) != 0 ? texel.w : texel.z;
    return (i & 2U) != 0 ? high : low;
}

/// Returns element j % n of a texel that holds n elements.
template <class Element>
__device__ Element element_of(uint4 texel, std::uint32_t j) {
    if constexpr (sizeof(Element) == 8) {
        return (j & 1U) != 0 ? make_uint2(texel.z, texel.w) : make_uint2(texel.x, texel.y);
    } else {
        constexpr unsigned in_word = 4 / sizeof(Element);
        const unsigned shift = 8 * sizeof(Element) * (j % in_word);
        return static_cast<Element>(word_of(texel, j / in_word) >> shift);
    }
}

template <class Element, class Pattern>
__global__ void wide_kernel(std::uint32_t* total, cudaTextureObject_t texture, Pattern pattern, Walk walk) {
    constexpr unsigned in_texel = 16 / sizeof(Element);
    add_block_sum(total, sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) {
                      return element_of<Element>(tex1Dfetch<uint4>(texture, static_cast<int>(j / in_texel)),
                                                 j);
                  }));
}

}  // namespace cudabook::access_patterns
