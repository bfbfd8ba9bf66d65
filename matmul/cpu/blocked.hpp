// The fast multiplication on the CPU, in blocks that fit into caches and registers.
#pragma once

#include <cstddef>
#include <vector>

#include "matmul/cpu/simd_loops.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The bytes of multiply_by_blocks()'s copies of A and B, of all cores.
std::size_t bytes_of_copies();

/// C = A B with the bits of reference(), on all cores. Source: Goto and van de Geijn, "Anatomy of
/// High-Performance Matrix Multiplication", 2008.
void multiply_by_blocks(std::vector<float>& c, const GemmShape& shape, const float* a, const float* b,
                        const SimdLoops& simd);

}  // namespace cudabook::matmul
