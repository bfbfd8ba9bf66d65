// Computes again the elements of C that are not finite after a kernel on tensor cores.
#pragma once

#include <cstddef>

namespace cudabook::matmul {

/// Computes an element of C as the other kernels do: by one chain of fmas over k. The function is not
/// inlined, because it is rarely called.
__device__ __noinline__ static float fma_chain(const float* a, const float* b, std::size_t row,
                                               std::size_t column, std::size_t n, std::size_t k) {
    float sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum = fmaf(a[row * k + i], b[i * n + column], sum);
    return sum;
}

/// Writes an element that the tensor cores computed. If it is not finite, a chain of fmas computes it
/// again: an infinity cannot be split into two numbers, and a number near the largest float may be rounded
/// to infinity.
__device__ inline void store_finite(float* c, float value, const float* a, const float* b, std::size_t row,
                                    std::size_t column, std::size_t n, std::size_t k) {
    c[row * n + column] = isfinite(value) ? value : fma_chain(a, b, row, column, n, k);
}

/// Calls store_finite() for `column` and `column` + 1, except for columns beyond C.
__device__ inline void store_two_finite(float* c, float2 values, const float* a, const float* b,
                                        std::size_t row, std::size_t column, std::size_t n, std::size_t k) {
    if (n % 2 == 0 && column < n && isfinite(values.x) && isfinite(values.y)) {
        *reinterpret_cast<float2*>(c + row * n + column) = values;
        return;
    }
    if (column < n) store_finite(c, values.x, a, b, row, column, n, k);
    if (column + 1 < n) store_finite(c, values.y, a, b, row, column + 1, n, k);
}

}  // namespace cudabook::matmul
