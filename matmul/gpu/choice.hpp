// A model that finds the fastest float32 kernel for a shape by plain arithmetic on the host.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "matmul/gpu/grid.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// A kernel with one tile size.
struct Tiling {
    std::string_view name;
    std::size_t rows;  ///< the height of a block's tile of C
    std::size_t columns;
    /// The fmas that a multiprocessor does in a nanosecond while it computes `tiles_at_once` tiles. One
    /// element of C takes one fma for each step along k.
    double rate;
    double tiles_at_once;  ///< the number of tiles that a multiprocessor computes at a time
    /// A multiprocessor computes its tiles in rounds of `tiles_at_once` tiles. If the last round has fewer
    /// tiles than `least_tiles`, the round takes as long as a round of `least_tiles` tiles.
    double least_tiles;
};

enum class FastestOf { all, small_tiles };

/// All tilings, measured on an H200. The ratios between the tilings serve for other GPUs too.
inline constexpr std::array tilings{
    Tiling{"small_tiles 32x32", 32, 32, 125, 8, 3.0}, Tiling{"small_tiles 32x64", 32, 64, 140, 6, 1.7},
    Tiling{"small_tiles 64x64", 64, 64, 150, 3, 1.4}, Tiling{"transposing", 64, 128, 193, 3, 1.35},
    Tiling{"pipelined", 128, 128, 202, 2, 1.0}};
inline constexpr std::size_t small_tilings = 3;

/// Returns the predicted time, in ns, of each of the k steps of a product, or infinity if the grid would have
/// too many blocks.
inline double ns_per_step(const Tiling& tiling, const GemmShape& shape, int multiprocessors) {
    const std::size_t tiles = blocks_for_tiles(shape.m, shape.n, tiling.rows, tiling.columns).x;
    if (!too_many_blocks({tiles}).empty()) return std::numeric_limits<double>::infinity();
    const auto most = static_cast<double>(parts_of(tiles, static_cast<std::size_t>(multiprocessors)));
    const double alone = std::fmod(most, tiling.tiles_at_once);  // the tiles of the last round
    const double rounds = most - alone + (alone == 0 ? 0 : std::max(alone, tiling.least_tiles));
    const double ns = rounds * static_cast<double>(tiling.rows * tiling.columns) / tiling.rate;
    const bool aligned = shape.n % 4 == 0 && shape.k % 4 == 0;  // else a copy has 4 bytes instead of 16
    if (tiling.name != "pipelined") return aligned ? ns : 1.15 * ns;
    constexpr double ns_to_copy_an_element = 0.002;
    return ns + ns_to_copy_an_element * static_cast<double>(shape.m + (aligned ? 0 : shape.n));
}

/// Returns the index in `tilings` of the fastest tiling, either of all tilings or of the small tiles.
inline std::size_t fastest_tiling(const GemmShape& shape, int multiprocessors, FastestOf of) {
    const auto last = of == FastestOf::all ? tilings.end() : tilings.begin() + small_tilings;
    return static_cast<std::size_t>(
        std::ranges::min_element(
            tilings.begin(), last, {},
            [&](const Tiling& tiling) { return ns_per_step(tiling, shape, multiprocessors); }) -
        tilings.begin());
}

}  // namespace cudabook::matmul
