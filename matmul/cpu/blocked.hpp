// The fast multiplication on the CPU, in blocks that fit into caches and registers.
#pragma once

#include <cstddef>
#include <vector>

#include "matmul/cpu/simd_loops.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns the size in bytes of the copies that multiply_by_blocks() makes, for all threads together.
std::size_t bytes_of_copies();

/// Computes C = A B on all cores, with the same bits as reference(). Source: Goto and van de Geijn, "Anatomy
/// of High-Performance Matrix Multiplication", 2008.
void multiply_by_blocks(std::vector<float>& c, const GemmShape& shape, const float* a, const float* b,
                        const SimdLoops& simd);

}  // namespace cudabook::matmul
