// Error bounds of sums of k products.
#pragma once

#include <cmath>
#include <cstddef>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The bound of float32 sums in any order, as in reference() and the libraries.
inline ErrorBound float32_bound(std::size_t k) { return {static_cast<double>(k + 1) * 0x1p-23}; }

/// The bound of kernel tf32_mma. It covers the rounding of both operands and the truncation in the sums: the
/// tensor cores add up 32 products at a time, and truncate each product when they add it.
inline ErrorBound tf32_mma_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// The bound of kernel tf32, which adds up all products in the tensor cores.
inline ErrorBound tf32_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k)) * 0x1p-23};
}

/// The bound of kernels tf32x3 and tf32x3_mma. It covers three errors: the low bits of each operand that the
/// two parts do not hold; the product of the two low parts, which is left out; and the truncation in the
/// sums, which is as in tf32_mma but for three times as many terms.
inline ErrorBound tf32x3_bound(std::size_t k) {
    return {0x1p-21 + (120 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// The bound of kernel f16x3. It is the bound of tf32x3 with sums of twice as many terms, and covers one more
/// error: two parts of 16 bits lose whatever is smaller than 2^-39 times the largest element of the row of A
/// or column of B. ErrorBound::norms covers this error, because the sum of the magnitudes of k elements is at
/// most sqrt(k) times their Euclidean norm.
inline ErrorBound f16x3_bound(std::size_t k) {
    return {0x1p-21 + (240 + static_cast<double>(k) / 64) * 0x1p-23,
            0x1p-38 * std::sqrt(static_cast<double>(k))};
}

/// If k is at least this number, the error of a kernel with two parts is at most twice the error of float32.
/// The error of f16x3 can be larger if C depends on elements that are far smaller than the largest element of
/// their row or column.
inline constexpr std::size_t two_parts_as_accurate_from_k = 1024;

/// The bound of cuBLAS with TF32. It may truncate the operands, and adds up all products in the tensor cores,
/// which truncate too.
inline ErrorBound cublas_tf32_bound(std::size_t k) {
    return {0x1p-9 + 0x1p-20 + (40 + static_cast<double>(k)) * 0x1p-23};
}

}  // namespace cudabook::matmul
