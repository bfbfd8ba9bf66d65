// How much of the host's memory a run takes.
#pragma once

#include <cstddef>
#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The bytes that it takes to multiply matrices of this shape by these kernels and to verify the products.
/// Errors: OutOfMemory, if 64 bits cannot count them.
std::size_t bytes_needed(const Shape& shape, const std::vector<Kernel>& kernels, bool benchmark);

/// Errors: OutOfMemory, if they are more than there are.
void require_memory_for(const Shape& shape, const std::vector<Kernel>& kernels, bool benchmark);

}  // namespace cudabook::matmul
