// Reads the CUDA array of kernel `array` through a surface. The layout is the same, but the unit for loads
// serves the reads, not the texture unit. The x coordinate is in bytes.
#pragma once

#include "access_patterns/kernels/walk.cuh"

namespace cudabook::access_patterns {

template <class Element, class Pattern>
__global__ void surface_kernel(std::uint32_t* total, cudaSurfaceObject_t surface, Plane plane,
                               Pattern pattern, Walk walk) {
    add_block_sum(total, sum_of_walk<Element>(pattern, walk, [&](std::uint32_t j) {
                      return surf2Dread<Element>(surface, static_cast<int>(plane.x(j) * sizeof(Element)),
                                                 static_cast<int>(plane.y(j)));
                  }));
}

}  // namespace cudabook::access_patterns
