// Error bounds of sums of k products.
#pragma once

#include <cmath>
#include <cstddef>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Of sums in float32, in whichever order: what reference() and the libraries keep to.
inline ErrorBound float32_bound(std::size_t k) { return {static_cast<double>(k + 1) * 0x1p-23}; }

/// Of kernel tf32_mma: the rounding of both operands, and what the sums lose, as each of 32 products is
/// truncated when the tensor cores add them up.
inline ErrorBound tf32_mma_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// Of kernel tf32, which adds up all products in the tensor cores.
inline ErrorBound tf32_bound(std::size_t k) {
    return {0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k)) * 0x1p-23};
}

/// Of kernels tf32x3 and tf32x3_mma: what two parts miss of each operand, and the product that is left out;
/// the sums as in tf32_mma, with three times as many terms.
inline ErrorBound tf32x3_bound(std::size_t k) {
    return {0x1p-21 + (120 + static_cast<double>(k) / 32) * 0x1p-23};
}

/// Of kernel f16x3: the same, with sums of twice as many terms. Parts of 16 bits also miss what is smaller
/// than 2^-39 of the largest element of its row of A or column of B, and the sum of k elements is at most the
/// square root of k times their norm.
inline ErrorBound f16x3_bound(std::size_t k) {
    return {0x1p-21 + (240 + static_cast<double>(k) / 64) * 0x1p-23,
            0x1p-38 * std::sqrt(static_cast<double>(k))};
}

/// The error of kernels with two parts is at most twice that of float32 where k is at least that. (Of f16x3
/// unless C is made of elements that are far smaller than the largest of their row or column.)
inline constexpr std::size_t two_parts_as_accurate_from_k = 1024;

/// Of cuBLAS with TF32, which may truncate the operands, and adds up all products in the tensor cores, which
/// truncate too.
inline ErrorBound cublas_tf32_bound(std::size_t k) {
    return {0x1p-9 + 0x1p-20 + (40 + static_cast<double>(k)) * 0x1p-23};
}

}  // namespace cudabook::matmul
