// One thread computes each element of C. The thread reads a row of A and a column of B from global memory: 8
// bytes for each fma, most of them from a cache.
#pragma once

#include <cstddef>

namespace cudabook::matmul {

__global__ static void naive_kernel(float* c, const float* a, const float* b, std::size_t m, std::size_t n,
                                    std::size_t k) {
    const std::size_t row = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
    const std::size_t column = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum = fmaf(a[row * k + i], b[i * n + column], sum);
    c[row * n + column] = sum;
}

}  // namespace cudabook::matmul
