// The inner loops of the CPU solvers, compiled for each SIMD level of x86-64 and chosen at run time; every
// level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace cudabook::heat {

/// Where heat flows slowly into the cold, temperatures fall below 2^-126, and many processors take a hundred
/// times as long for arithmetic with such subnormal numbers. Temperatures times 2^64 are normal numbers.
/// Every operation on these scaled temperatures gives the result times 2^64, bit for bit, with one exception:
/// the last fma of a step does not round at 2^-149. Where a result may be so small that this matters, the
/// loop checks the result and rounds it.
inline constexpr float scale = 0x1p64F;
inline constexpr float least_normal = 0x1p-126F * scale;  ///< the least normal number, scaled

/// Temperatures may be scaled if the speed is between least_scaled_speed and largest_scaled_speed, and if all
/// temperatures are between 0 and largest_scaled_temperature. Then a new temperature is, except for rounding,
/// a mean of its five cells. So nothing overflows, and because rounding keeps numbers in order, nothing
/// becomes negative. If the new temperature is small, the last fma is exact in float64: the lowest bit of its
/// result is 2^-178 or higher, at most 51 bits below the highest bit.
inline constexpr float least_scaled_speed = 0x1p-6F;
inline constexpr float largest_scaled_speed = 0.25F;
inline constexpr float largest_scaled_temperature = 0x1p32F;

/// A bit for each block of a row: see RowKernels.
using BlockMask = std::uint64_t;
inline constexpr int most_blocks = std::numeric_limits<BlockMask>::digits;  ///< the most blocks in a row

inline constexpr int largest_block = 128;  ///< the most cells of a block at any SIMD level
inline constexpr int batch_rows = 3;       ///< rows of a batch: as many as fit into the registers

/// Consecutive rows of the grid that take a step together. All rows but the first and the last take the step.
/// The new values of a row are written over the previous row.
struct Batch {
    float* rows[batch_rows + 2];
    /// For each new row, a mask with a bit for each cell in block order, beginning at the lowest bit of a
    /// byte. The bit is 1 if the step updates the cell, and 0 if the cell is a source, which keeps its
    /// temperature.
    const std::uint8_t* updated[batch_rows];
    BlockMask sourced;  ///< the blocks that may have sources; for all other blocks, `updated` is not read
    BlockMask small;    ///< the blocks where a new scaled temperature may be so small that it must be rounded
    int blocks;
    float speed;  ///< finite
};

/// The loops at one SIMD level. They work on rows in block order: in each block of n registers, cell n · l +
/// j is lane l of register j. So the left neighbours of the cells in a register are in the previous register,
/// except for the first register of a block. Cells are moved between lanes only at the ends of a block.
struct RowKernels {
    const char* simd;
    int lanes;      ///< floats in a register
    int registers;  ///< registers in a block

    /// to_blocks() converts n cells to block order and fills up the last block with zeros. from_blocks()
    /// converts n cells back.
    void (*to_blocks)(float* row, const float* cells, int n);
    void (*from_blocks)(float* cells, const float* row, int n);

    /// Copies `blocks` blocks of `cells` to `row`. In the blocks of `sourced`, writes the sources that are
    /// not 0 over the cells. Returns the blocks in which a cell is positive and below `least`, or is at most
    /// `reach` cells away from such a cell. `reach` is at most the number of cells of a block.
    BlockMask (*load)(float* row, const float* cells, const float* sources, BlockMask sourced, int blocks,
                      float least, int reach);

    /// Does one step of a batch, whose rows are aligned to 64 bytes and have space for a register before and
    /// after them.
    void (*step)(const Batch& batch);

    /// Copies `blocks` blocks to `to`, which begins on a cache line. If the SIMD level can do so, the memory
    /// is not read first and not kept in a cache. Other threads see the copies after a full fence.
    void (*store_past_caches)(float* to, const float* row, int blocks);

    /// Does a step of kernel `reference`: writes the sources into `in`, then computes `out` from `in`. Both
    /// have width × height cells, in plain order.
    void (*reference)(float* out, float* in, const float* sources, int width, int height, float speed);

    /// Draws `count` temperatures, in plain order, as colour_of() does: 4 bytes a cell.
    void (*draw)(unsigned char* rgba, const float* cells, std::size_t count);

    [[nodiscard]] int block() const { return registers * lanes; }  ///< the cells of a block

    /// Returns the index at which a row in block order holds cell x of the row. x may be from -1, the cell
    /// before the first, to the number of cells in the row, the cell after the last.
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
