// The inner loops of the CPU solvers, compiled for each SIMD level of x86-64 and chosen at run time; every
// level gives the same bits.
#pragma once

#include <span>

namespace cudabook::heat {

/// Where heat flows slowly into the cold, temperatures fall below 2^-126, and most processors take a hundred
/// times as long for arithmetic with such subnormal numbers. Temperatures times 2^64 are normal numbers, and
/// every operation on them gives the result times 2^64, bit for bit, with one exception: the last fma of a
/// step does not round at 2^-149. The loop for scaled cells does so, for the few results that are small.
inline constexpr float scale = 0x1p64F;

/// Speeds between these two and temperatures from 0 to the third may be scaled. Every new temperature then
/// lies between the least and the largest of its five cells, so nothing overflows and nothing becomes
/// negative. Where it is small, its last fma is exact in float64: its lowest bit is 2^-178 or higher, at most
/// 53 below its first.
inline constexpr float least_scaled_speed = 0x1p-6F;
inline constexpr float largest_scaled_speed = 0.25F;
inline constexpr float largest_scaled_temperature = 0x1p32F;

inline constexpr int row_lanes = 16;  ///< a row of scaled cells has a multiple of this many

/// The loops at one SIMD level. A row has a cell before its first and one after its last; `out` overlaps none
/// of the others.
struct RowKernels {
    const char* simd;

    /// One step of n cells.
    void (*plain)(float* out, const float* top, const float* row, const float* bottom, int n, float speed);

    /// One step of n scaled cells, n a multiple of row_lanes.
    void (*scaled)(float* out, const float* top, const float* row, const float* bottom, int n, float speed);

    /// Writes the n sources that are not 0 into the row.
    void (*write_sources)(float* row, const float* sources, int n);

    /// The reference's step: the sources into `in`, then `out` from `in`, both width × height cells.
    void (*reference)(float* out, float* in, const float* sources, int width, int height, float speed);
};

/// The levels that this processor has, the widest first.
std::span<const RowKernels> row_kernels();

}  // namespace cudabook::heat
