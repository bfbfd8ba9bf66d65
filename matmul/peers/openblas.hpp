// OpenBLAS, the peer of the CPU's kernels. It is loaded at the first use. If it is missing, the why_not of
// its kernel says so.
#pragma once

#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The kernel of OpenBLAS, including its Kernel::why_not.
Kernel openblas_kernel();

/// Computes C = A B by OpenBLAS. Call it only if the kernel's why_not returns an empty string. The elements
/// of C are as accurate as sums in float32.
void multiply_by_openblas(std::vector<float>& c, const Factors& factors);

}  // namespace cudabook::matmul
