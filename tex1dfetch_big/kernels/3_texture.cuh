// The sum through indexed textures, which the book wished for: any number of texture objects, chosen by
// index. The texture unit takes one texture for all threads of a warp. If the threads' choices may differ,
// the compiled code waits for each thread's texture object, and fetches from one distinct texture after the
// other: the fetches do not overlap. So a block chooses once for a tile that lies in one texture.
#pragma once

#include <cstddef>

#include "tex1dfetch_big/kernels/sum.cuh"

namespace cudabook::tex1dfetch_big {

/// An array in textures of 2^index_bits texels each. A texel's index in the array, combined with `mask` by a
/// bitwise AND, is the texel's index in the texture. The mask has the lowest index_bits bits set, or more
/// bits if a texture's memory must begin before the texture's first texel, because of alignment.
struct IndexedTextures {
    const cudaTextureObject_t* textures;
    int index_bits;
    unsigned mask;
};

template <class Texel>
__global__ void texture_kernel(std::uint32_t* total, IndexedTextures array, std::size_t texels) {
    const auto in_one_texture = [&](std::size_t first) {
        const cudaTextureObject_t texture = array.textures[first >> array.index_bits];
        const unsigned begin = first & array.mask;
        return [=](unsigned k) { return tex1Dfetch<Texel>(texture, static_cast<int>(begin + k)); };
    };
    const auto in_several = [&](std::size_t first) {
        return [=](unsigned k) {
            const std::size_t i = first + k;
            return tex1Dfetch<Texel>(array.textures[i >> array.index_bits], static_cast<int>(i & array.mask));
        };
    };
    const bool tiles_in_one = std::size_t{1} << array.index_bits >= tile_texels<Texel>;
    add_block_sum(
        total, tiles_in_one ? grid_sum<Texel>(texels, in_one_texture) : grid_sum<Texel>(texels, in_several));
}

}  // namespace cudabook::tex1dfetch_big
