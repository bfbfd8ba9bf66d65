// The inner loops of the CPU solvers, compiled for each SIMD level by Highway and chosen at run time; every
// level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace cudabook::heat {

/// The factor of scaled temperatures. Far from the hot sources, temperatures fall below 2^-126, the least
/// normal float. Many processors take a hundred times as long for arithmetic with such subnormal numbers.
/// Temperatures times 2^64 are normal numbers. Each operation on scaled temperatures gives exactly 2^64 times
/// the unscaled result, with one exception: the unscaled last fma of a step rounds a subnormal result to a
/// multiple of 2^-149, and the scaled fma does not. So the loops check the results that may be this small,
/// and round them.
inline constexpr float scale = 0x1p64F;
inline constexpr float least_normal = 0x1p-126F * scale;  ///< the least normal number, scaled

/// Temperatures may be scaled if the speed is between least_scaled_speed and largest_scaled_speed, and if all
/// temperatures are between 0 and largest_scaled_temperature. Then a new temperature is, except for rounding,
/// a weighted mean of five old temperatures, and no weight is negative. So nothing overflows. Nothing becomes
/// negative, because rounding is monotonic. Small new temperatures can be rounded correctly, because float64
/// holds the exact result of the last fma: the lowest bit of the unscaled result is 2^-178 or higher, at most
/// 51 bits below its highest bit.
inline constexpr float least_scaled_speed = 0x1p-6F;
inline constexpr float largest_scaled_speed = 0.25F;
inline constexpr float largest_scaled_temperature = 0x1p32F;

/// One bit for each block of a row; see RowKernels for blocks.
using BlockMask = std::uint64_t;
inline constexpr int most_blocks = std::numeric_limits<BlockMask>::digits;  ///< the most blocks in a row

inline constexpr int largest_block = 128;  ///< the most cells of a block at any SIMD level
inline constexpr int batch_rows = 3;       ///< rows of a batch, as many as fit into the registers

/// Consecutive rows of the grid. One call of RowKernels::step does one step of all these rows except the
/// first and the last. The new values of rows[i] are written to rows[i - 1].
struct Batch {
    float* rows[batch_rows + 2];
    /// For each stepped row, a mask with one bit for each cell, in block order, lowest bit of a byte first.
    /// The bit is 1 if the step updates the cell. It is 0 if the cell is a source, which keeps its
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
    /// not 0 over the cells. A cell is small if it is positive and below `least`. Returns a mask that
    /// includes every block with a small cell, and every block with a cell at most `reach` cells from a small
    /// cell. `reach` is at most the number of cells of a block.
    BlockMask (*load)(float* row, const float* cells, const float* sources, BlockMask sourced, int blocks,
                      float least, int reach);

    /// Does one step of a batch. The rows must be aligned to 64 bytes. Before and after each row there must
    /// be space for one register.
    void (*step)(const Batch& batch);

    /// Copies `blocks` blocks of `row` to `to`, which must begin on a cache line. Uses non-temporal stores if
    /// the SIMD level has them: they neither read the memory at `to` first nor keep it in a cache. Other
    /// threads see the copy after a full fence.
    void (*store_past_caches)(float* to, const float* row, int blocks);

    /// Does a step of kernel `reference`: writes the sources into `in`, then computes `out` from `in`. The
    /// grids have width × height cells, row-major.
    void (*reference)(float* out, float* in, const float* sources, int width, int height, float speed);

    /// Writes the colours of `count` temperatures, which are in row-major order, to `rgba`: 4 bytes a cell,
    /// the same as from colour_of().
    void (*draw)(unsigned char* rgba, const float* cells, std::size_t count);

    [[nodiscard]] int block() const { return registers * lanes; }  ///< the cells of a block

    /// Returns the index of cell x in a row that is in block order (defined above). x may be from -1, the
    /// cell before the first, to the number of cells in the row, the cell after the last.
    [[nodiscard]] std::ptrdiff_t at(int x) const {
        return x < 0 ? x : x / block() * block() + x % registers * lanes + x % block() / registers;
    }
};

/// Returns the loops for the SIMD levels that this processor has, the widest level first.
std::span<const RowKernels> row_kernels();

/// Returns whether steps of subnormal temperatures take this processor more than twice as long as other
/// steps. The first call measures this in a few microseconds.
bool subnormals_are_slow();

}  // namespace cudabook::heat
