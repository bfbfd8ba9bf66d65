// Error bounds of sums of k products: |C - AB| <= bound(k) |A||B|, for each element.
#pragma once

#include <cstddef>

namespace cudabook::matmul {

/// Of sums in float32, in whichever order: what reference() and the libraries keep to.
inline double float32_bound(std::size_t k) { return static_cast<double>(k + 1) * 0x1p-23; }

/// Of kernel tf32: the rounding of both operands, and what the sums lose, as each of 32 products is truncated
/// when the tensor cores add them up.
inline double tf32_bound(std::size_t k) {
    return 0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k) / 32) * 0x1p-23;
}

/// Of kernels tf32x3 and tf32x3_mma: what two parts miss of each operand, and the product that is left out;
/// the sums as above, with three times as many terms.
inline double tf32x3_bound(std::size_t k) { return 0x1p-21 + (120 + static_cast<double>(k) / 32) * 0x1p-23; }

/// Their error is at most twice that of float32 where k is at least that.
inline constexpr std::size_t tf32x3_as_accurate_from_k = 1024;

/// Of cuBLAS with TF32, which may truncate the operands, and adds up all products in the tensor cores, which
/// truncate too.
inline double cublas_tf32_bound(std::size_t k) {
    return 0x1p-9 + 0x1p-20 + (40 + static_cast<double>(k)) * 0x1p-23;
}

}  // namespace cudabook::matmul
