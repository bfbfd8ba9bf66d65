// As texture, but from two-dimensional textures: there is no index arithmetic, and in the cache an
// element's neighbours above and below are as near as its neighbours to the left and right.
#pragma once

#include <cstddef>

namespace cudabook::matmul {

/// The centre of texel i is at coordinate i + 0.5.
__global__ static void texture2d_kernel(float* c, cudaTextureObject_t a, cudaTextureObject_t b, std::size_t m,
                                        std::size_t n, int k) {
    const std::size_t row = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
    const std::size_t column = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    const float y = static_cast<float>(row) + 0.5F;
    const float x = static_cast<float>(column) + 0.5F;
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        const float along_k = static_cast<float>(i) + 0.5F;
        sum = fmaf(tex2D<float>(a, along_k, y), tex2D<float>(b, x, along_k), sum);
    }
    c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
