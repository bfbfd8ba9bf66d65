// The memory traffic of reading an array in a pattern's order: the sectors of 32 bytes that the warps'
// requests ask for, and the sectors that must be moved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/pattern.hpp"

namespace cudabook::access_patterns {

inline constexpr unsigned sector_bytes = 32;

/// The traffic of some whole tiles. A tile is the walk_tile() elements that a block reads at once.
struct Demand {
    std::uint64_t elements = 0;
    std::uint64_t requests = 0;  ///< one for each load by the threads of a warp
    /// The number of sectors that the requests ask for, summed over all requests. The texture unit divides
    /// the threads of a request into groups of 8, or of 4 if texels have 16 bytes or the texture has two
    /// dimensions (measured on an H200). The sectors of each group count separately.
    std::uint64_t sectors = 0;
    /// The number of distinct sectors of a tile, summed over all tiles. If the multiprocessor's cache is
    /// empty, at least this many sectors must come from outside the multiprocessor.
    std::uint64_t tile_sectors = 0;
    /// The number of distinct half sectors of a tile, summed over all tiles. A half sector has 16 bytes of a
    /// row. Half sectors are counted only for CUDA arrays; otherwise the number is 0.
    std::uint64_t tile_halves = 0;

    [[nodiscard]] double sectors_per_request() const {
        return static_cast<double>(sectors) / static_cast<double>(requests);
    }
    [[nodiscard]] double bytes_per_element() const {
        return sector_bytes * static_cast<double>(tile_sectors) / static_cast<double>(elements);
    }

    /// Returns the bytes per element on this assumption: a sector of a CUDA array stays in the cache until
    /// another tile has read the next row, so that the sector serves both of its rows. For other memory,
    /// returns bytes_per_element().
    [[nodiscard]] double bytes_per_element_of_rows() const {
        if (tile_halves == 0) return bytes_per_element();
        return sector_bytes / 2.0 * static_cast<double>(tile_halves) / static_cast<double>(elements);
    }
};

/// Returns the demand of at most `most_tiles` tiles, evenly spread over a walk through an array of `bytes`
/// bytes. In linear and pitched memory a sector has 32 bytes of one row. In a CUDA array a sector has 16
/// bytes of each of two rows (measured on an H200).
Demand demand_of(const Pattern& pattern, std::size_t bytes, std::size_t element_bytes, Path path,
                 unsigned most_tiles);

}  // namespace cudabook::access_patterns
