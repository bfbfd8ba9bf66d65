// The inner loops of the CPU's kernels, compiled for each SIMD level.
#pragma once

#include <cstddef>
#include <span>

namespace cudabook::matmul {

using Index = std::ptrdiff_t;

/// A block has so many columns of A and rows of B, at most.
inline constexpr Index block_depth = 256;

/// The rows of a block's copy of A are so far apart: an odd number of cache lines, so that they do not
/// compete for the same places of the cache.
inline constexpr Index copied_row = block_depth + 16;

/// c += a b for a tile of C, in rows `stride` apart, which stays in registers meanwhile; with `from_zero`
/// c = a b. The rows of a are `copied_row` apart; b is depth × the tile's columns.
using AddTile = void(float* c, Index stride, const float* a, const float* b, Index depth, bool from_zero);

/// The loops at one SIMD level. They are plain C++ that the compiler vectorises; every level gives the same
/// bits.
struct SimdLoops {
    const char* level;
    int rows;  ///< of the tile of C that fits into the registers
    int columns;

    /// c += a B for a row of C and of A: the formula.
    void (*add_row)(float* c, const float* a, const float* b, Index n, Index k);

    /// For tiles of 1, 2, ..., `rows` rows.
    AddTile* const* add_tile;

    /// Copies depth × width elements, in rows `stride` apart, in strips of `columns` columns, one strip after
    /// another. The last strip is filled up with zeros.
    void (*copy_strips)(float* to, const float* from, Index stride, Index depth, Index width);

    /// Nothing but fmas whose operands are in registers: rows × columns in each round.
    float (*chain_fmas)(Index rounds);
};

inline constexpr Index most_rows = 14;  ///< of a tile, of all levels
inline constexpr Index most_columns = 32;

/// The levels that this processor has, the widest first.
std::span<const SimdLoops> simd_loops();

/// Asks for a row that is to be read soon. The processor itself foresees the next elements, not the next row.
inline void prefetch_row(const float* row, Index width) {
    constexpr Index cache_line = 64 / sizeof(float);
    for (Index j = 0; j < width; j += cache_line) __builtin_prefetch(row + j, 0, 2);
}

}  // namespace cudabook::matmul
