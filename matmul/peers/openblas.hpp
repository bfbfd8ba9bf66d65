// OpenBLAS, the peer of the CPU's kernels. The library is loaded at the first use. If the library is missing,
// Kernel::why_not of its kernel returns this reason.
#pragma once

#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns the kernel of OpenBLAS.
Kernel openblas_kernel();

/// Computes C = A B by OpenBLAS. The kernel's why_not must return an empty string. The elements of C are as
/// accurate as sums in float32.
void multiply_by_openblas(std::vector<float>& c, const Factors& factors);

}  // namespace cudabook::matmul
