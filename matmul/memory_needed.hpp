// The host memory that a run needs.
#pragma once

#include <cstddef>
#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns how many bytes of host memory a run needs that multiplies matrices of this shape by these kernels
/// and verifies the products. Throws OutOfMemory if the number has more than 64 bits.
std::size_t bytes_needed(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark);

/// Throws OutOfMemory if the host has less memory than bytes_needed().
void require_memory_for(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark);

}  // namespace cudabook::matmul
