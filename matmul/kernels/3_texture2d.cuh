// As texture, from two-dimensional textures: no index arithmetic, and an element's neighbours above and below
// are as near in the cache as those beside it.
#pragma once

#include <cstddef>

#include "matmul/kernels/1_naive.cuh"

namespace cudabook::matmul {

__global__ static void texture2d_kernel(float* c, cudaTextureObject_t a, cudaTextureObject_t b, std::size_t m,
                                        std::size_t n, int k) {
    const Tile tile = tile_of_block<plain_side, plain_side>(blockIdx.x, m, n);
    const std::size_t row = tile.row + threadIdx.y;
    const std::size_t column = tile.column + threadIdx.x;
    if (row >= m || column >= n) return;
    const float y = static_cast<float>(row) + 0.5F;
    const float x = static_cast<float>(column) + 0.5F;
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        const float along = static_cast<float>(i) + 0.5F;
        sum = fmaf(tex2D<float>(a, along, y), tex2D<float>(b, x, along), sum);
    }
    c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
