// How the tensor cores' kernels treat numbers that are not finite.
#pragma once

#include <cstddef>

namespace cudabook::matmul {

/// An element of C as the other kernels make it: one chain of fma over k. (Not inlined: it is rarely called.)
__device__ __noinline__ static float fma_chain(const float* a, const float* b, std::size_t row,
                                               std::size_t column, std::size_t n, std::size_t k) {
    float sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum = fmaf(a[row * k + i], b[i * n + column], sum);
    return sum;
}

/// Writes an element that the tensor cores made. If it is not finite, it is made again by a chain of fma: an
/// infinity cannot be split into two numbers, and a number near the largest may be rounded up to infinity.
__device__ inline void store_finite(float* c, float value, const float* a, const float* b, std::size_t row,
                                    std::size_t column, std::size_t n, std::size_t k) {
    c[row * n + column] = isfinite(value) ? value : fma_chain(a, b, row, column, n, k);
}

}  // namespace cudabook::matmul
