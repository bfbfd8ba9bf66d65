// The inner loops of the CPU solvers, compiled for each SIMD level of x86-64 and chosen at run time; every
// level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace cudabook::heat {

/// Where heat flows slowly into the cold, temperatures fall below 2^-126, and many processors take a hundred
/// times as long for arithmetic with such subnormal numbers. Temperatures times 2^64 are normal numbers, and
/// every operation on them gives the result times 2^64, bit for bit, with one exception: the last fma of a
/// step does not round at 2^-149. Where a result may be so small, the loop checks it and rounds it.
inline constexpr float scale = 0x1p64F;
inline constexpr float least_normal = 0x1p-126F * scale;  ///< scaled

/// Temperatures may be scaled if the speed is between these two limits, and the temperatures are between 0
/// and the third. A new temperature is then, but for rounding, a mean of its five cells: nothing overflows,
/// and because rounding keeps numbers in order, nothing becomes negative. If the new temperature is small,
/// the last fma is exact in float64: the lowest bit of its result is 2^-178 or higher, at most 51 bits below
/// the highest bit.
inline constexpr float least_scaled_speed = 0x1p-6F;
inline constexpr float largest_scaled_speed = 0.25F;
inline constexpr float largest_scaled_temperature = 0x1p32F;

/// A bit for each block of a row: see RowKernels.
using BlockMask = std::uint64_t;
inline constexpr int most_blocks = std::numeric_limits<BlockMask>::digits;  ///< in a row

inline constexpr int largest_block = 128;  ///< in cells, at any level
inline constexpr int batch_rows = 3;       ///< as many as fit into the registers

/// Rows that take a step together, consecutive rows of the grid. All but the first and the last are stepped,
/// and each new row is written over the row above it.
struct Batch {
    float* rows[batch_rows + 2];
    /// A mask of each new row, with a bit for each cell in block order, the lowest bit of a byte first: 1
    /// where the step updates the cell, 0 for sources, which keep their temperature.
    const std::uint8_t* updated[batch_rows];
    BlockMask sourced;  ///< where there may be sources; elsewhere `updated` is not read
    BlockMask small;    ///< where a new scaled temperature may be so small that it must be rounded
    int blocks;
    float speed;  ///< finite
};

/// The loops at one SIMD level. They work on rows in block order: in each block of n registers, cell n · l +
/// j is lane l of register j. So the left neighbours of a register's cells are the register before it, except
/// for the first register of a block. Cells are moved between lanes only at the ends of a block.
struct RowKernels {
    const char* simd;
    int lanes;      ///< floats in a register
    int registers;  ///< in a block

    /// Converts n cells to block order, with the last block filled up with zeros, and back.
    void (*to_blocks)(float* row, const float* cells, int n);
    void (*from_blocks)(float* cells, const float* row, int n);

    /// Copies blocks. In the blocks of `sourced`, writes the sources that are not 0 over the cells. Returns
    /// the blocks that have a positive cell below `least`, or are at most `reach` cells away from such a
    /// cell. `reach` is at most a block's cells.
    BlockMask (*load)(float* row, const float* cells, const float* sources, BlockMask sourced, int blocks,
                      float least, int reach);

    /// Does one step of a batch, whose rows are aligned to 64 bytes and have space for a register before and
    /// after them.
    void (*step)(const Batch& batch);

    /// Copies blocks into memory that begins on a cache line, without reading that memory first or keeping it
    /// in a cache, if the level can do that. Other threads see the copies after a full fence.
    void (*store_past_caches)(float* to, const float* row, int blocks);

    /// Does a step of kernel `reference`: writes the sources into `in`, then computes `out` from `in`. Both
    /// have width × height cells, in plain order.
    void (*reference)(float* out, float* in, const float* sources, int width, int height, float speed);

    /// Draws `count` temperatures, in plain order, as colour_of() does: 4 bytes a cell.
    void (*draw)(unsigned char* rgba, const float* cells, std::size_t count);

    [[nodiscard]] int block() const { return registers * lanes; }  ///< in cells

    /// Returns the place of cell x of a row in block order, from x = -1 to the first cell after the last.
    [[nodiscard]] std::ptrdiff_t at(int x) const {
        return x < 0 ? x : x / block() * block() + x % registers * lanes + x % block() / registers;
    }
};

/// Returns the loops for the SIMD levels that this processor has, the widest level first.
std::span<const RowKernels> row_kernels();

/// Returns whether steps of subnormal temperatures take this processor more than twice as long as other
/// steps. Measured once, in a few microseconds.
bool subnormals_are_slow();

}  // namespace cudabook::heat
