// The CUDA Handbook's way: a texture over the array of kernel `global`, read by index. Coalescing does not
// matter: the texture unit serves eight or four threads of a warp at a time, wherever their texels are.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void linear_kernel(std::uint32_t* total, cudaTextureObject_t texture, Pattern pattern, Walk walk) {
    add_block_sum(total, sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) {
                      return tex1Dfetch<Element>(texture, static_cast<int>(j));
                  }));
}

}  // namespace cudabook::access_patterns
