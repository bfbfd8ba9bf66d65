// Error bounds of sums of k products.
#pragma once

#include <cmath>
#include <cstddef>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The bound of float32 sums in any order, as in reference() and the libraries.
inline ErrorBound float32_bound(std::size_t k) { return {static_cast<double>(k + 1) * 0x1p-23}; }

/// The bound of kernel tf32_mma. It counts the rounding of both operands and the loss of the sums: the
/// tensor cores add up 32 products at a time, and truncate each product when they add it.
inline ErrorBound tf32_mma_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// The bound of kernel tf32, which adds up all products in the tensor cores.
inline ErrorBound tf32_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k)) * 0x1p-23};
}

/// The bound of kernels tf32x3 and tf32x3_mma. It counts what two parts miss of each operand, and the product
/// of the two low parts, which is left out. The sums lose as much as in tf32_mma, with three times as many
/// terms.
inline ErrorBound tf32x3_bound(std::size_t k) {
    return {0x1p-21 + (120 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// The bound of kernel f16x3: as for tf32x3, with sums of twice as many terms. In addition, parts of 16
/// bits miss everything smaller than 2^-39 of the largest element of a row of A or column of B.
/// ErrorBound::norms bounds this loss, because the sum of k elements is at most the square root of k times
/// their norm.
inline ErrorBound f16x3_bound(std::size_t k) {
    return {0x1p-21 + (240 + static_cast<double>(k) / 64) * 0x1p-23,
            0x1p-38 * std::sqrt(static_cast<double>(k))};
}

/// From this k on, the error of kernels with two parts is at most twice the error of float32. This does not
/// hold for f16x3 if C comes from elements that are far smaller than the largest of their row or column.
inline constexpr std::size_t two_parts_as_accurate_from_k = 1024;

/// The bound of cuBLAS with TF32. It may truncate the operands, and adds up all products in the tensor cores,
/// which truncate too.
inline ErrorBound cublas_tf32_bound(std::size_t k) {
    return {0x1p-9 + 0x1p-20 + (40 + static_cast<double>(k)) * 0x1p-23};
}

}  // namespace cudabook::matmul
