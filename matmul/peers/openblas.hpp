// OpenBLAS, the peer of the CPU's kernels. It is loaded at the first use; if it is missing, its kernel says
// so.
#pragma once

#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// OpenBLAS's kernel, with its why_not.
Kernel openblas_kernel();

/// C = A B, if the kernel's why_not allows it. The numbers are as accurate as float32's.
void multiply_by_openblas(std::vector<float>& c, const Factors& factors);

}  // namespace cudabook::matmul
