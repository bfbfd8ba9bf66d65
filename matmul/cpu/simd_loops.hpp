// The inner loops of the CPU's kernels, compiled for each SIMD level by Highway.
#pragma once

#include <cstddef>
#include <span>

namespace cudabook::matmul {

using Index = std::ptrdiff_t;

/// The largest number of columns of A and rows of B in a block.
inline constexpr Index block_depth = 256;

/// The stride, in elements, of a copy of rows of A. It is an odd number of cache lines, so that the rows do
/// not compete for the same cache sets.
inline constexpr Index copied_row = block_depth + 16;

/// Computes c += a b, or c = a b with `from_zero`, where c is a tile of C that stays in registers. The rows
/// of c are `stride` elements apart, and the rows of a are `copied_row` elements apart. b has `depth` rows,
/// each as long as a row of the tile.
using AddTile = void(float* c, Index stride, const float* a, const float* b, Index depth, bool from_zero);

/// The loops at one SIMD level. Every level gives the same bits.
struct SimdLoops {
    const char* level;
    int rows;  ///< the height of the tile of C that stays in registers
    int columns;

    /// Computes c += a B, where c is a row of C and a is a row of A. B is k × n.
    void (*add_row)(float* c, const float* a, const float* b, Index n, Index k);

    /// One function for each tile height: 1, 2, ..., `rows`.
    AddTile* const* add_tile;

    /// Copies a block of depth × width elements, whose rows are `stride` elements apart. The copy consists of
    /// strips of `columns` columns, one strip after another. The last strip is padded with zeros.
    void (*copy_strips)(float* to, const float* from, Index stride, Index depth, Index width);

    /// Computes fmas whose operands are in registers, and nothing else. Each round has rows × columns fmas.
    /// Returns a sum of their results, so that the compiler does not remove the fmas.
    float (*chain_fmas)(Index rounds);
};

inline constexpr Index most_rows = 14;  ///< the height of the largest tile, at any level
inline constexpr Index most_columns = 32;

/// The SIMD levels of this processor, the widest first.
std::span<const SimdLoops> simd_loops();

/// Prefetches a row of `width` elements. The processor by itself prefetches only the next elements of the
/// current row, not the next row.
inline void prefetch_row(const float* row, Index width) {
    constexpr Index cache_line = 64 / sizeof(float);
    for (Index j = 0; j < width; j += cache_line) __builtin_prefetch(row + j, 0, 2);
}

}  // namespace cudabook::matmul
