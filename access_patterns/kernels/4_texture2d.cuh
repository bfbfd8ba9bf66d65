// CUDA by Example's way: a two-dimensional texture. Kernel `pitched` has a texture over the memory of kernel
// `global`, row after row. Kernel `array` has a texture over a CUDA array, whose layout keeps neighbours in
// both directions together: a sector has 16 bytes of each of two rows.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void texture2d_kernel(std::uint32_t* total, cudaTextureObject_t texture, Plane plane,
                                 Pattern pattern, Walk walk) {
    add_block_sum(total, sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) {
                      return tex2D<Element>(texture, static_cast<float>(plane.x(j)) + 0.5F,
                                            static_cast<float>(plane.y(j)) + 0.5F);
                  }));
}

}  // namespace cudabook::access_patterns
