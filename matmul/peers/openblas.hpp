// OpenBLAS, the peer of the CPU's kernels. It is loaded when it is first asked for; without it its kernel
// says so.
#pragma once

#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Its row among the kernels, and why it cannot multiply where it cannot.
Kernel openblas_kernel();

/// C = A B, where the kernel can. The numbers are as accurate as float32's.
void multiply_by_openblas(std::vector<float>& c, const Factors& factors);

}  // namespace cudabook::matmul
