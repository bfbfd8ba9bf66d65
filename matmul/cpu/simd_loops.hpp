// The inner loops of the CPU's kernels, compiled for each SIMD level.
#pragma once

#include <cstddef>
#include <span>

namespace cudabook::matmul {

using Index = std::ptrdiff_t;

/// The loops at one SIMD level. They are plain C++ that the compiler vectorises; every level gives the same
/// bits.
struct SimdLoops {
    const char* level;
    int rows;  ///< of the tile of C that fits into the registers
    int columns;

    /// c += a B for a row of C and of A: the formula.
    void (*add_row)(float* c, const float* a, const float* b, Index n, Index k);

    /// c += a b for a tile of C, rows × columns elements in rows `stride` apart, which stay in registers
    /// meanwhile; a is depth × rows, b is depth × columns.
    void (*add_tile)(float* c, Index stride, const float* a, const float* b, Index depth);

    /// Nothing but fmas whose operands are in registers: `ceiling_chains` in each round.
    float (*chain_fmas)(Index rounds);
};

inline constexpr int ceiling_chains = 192;  // side by side: enough to hide how long each fma takes

inline constexpr int largest_tile = 14 * 32;  ///< elements, of all levels

/// The levels that this processor has, the widest first.
std::span<const SimdLoops> simd_loops();

}  // namespace cudabook::matmul
