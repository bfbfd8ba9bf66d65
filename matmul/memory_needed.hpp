// The host memory that a run needs.
#pragma once

#include <cstddef>
#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The bytes needed to multiply matrices of this shape by these kernels and to verify the products. Errors:
/// OutOfMemory, if 64 bits cannot count them.
std::size_t bytes_needed(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark);

/// Throws OutOfMemory if the host has less memory than bytes_needed().
void require_memory_for(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark);

}  // namespace cudabook::matmul
