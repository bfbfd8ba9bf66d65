// The handbook's way: a texture over the same memory, read by index. There are no rules of coalescing: the
// texture unit takes the threads of a warp eight or four at a time, wherever their texels are.
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
