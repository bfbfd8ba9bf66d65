// The traffic of reading in a pattern's order: the sectors of 32 bytes that requests ask for, and the sectors
// that must be moved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/pattern.hpp"

namespace cudabook::access_patterns {

inline constexpr unsigned sector_bytes = 32;

/// The traffic of whole tiles, of walk_tile() elements, which a block reads at once.
struct Demand {
    std::uint64_t elements = 0;
    std::uint64_t requests = 0;  ///< of warps
    /// The sum over all requests of the sectors that each asks for. The texture unit takes 8 threads at a
    /// time, or 4 if texels have 16 bytes or the texture has two dimensions (measured on an H200), and these
    /// groups count separately.
    std::uint64_t sectors = 0;
    /// The sum over all tiles of their distinct sectors. At least these must come from beyond the
    /// multiprocessor, if its cache holds nothing yet.
    std::uint64_t tile_sectors = 0;
    /// The sum over all tiles of their distinct half sectors, 16 bytes of a row each; counted only in CUDA
    /// arrays.
    std::uint64_t tile_halves = 0;

    [[nodiscard]] double sectors_per_request() const {
        return static_cast<double>(sectors) / static_cast<double>(requests);
    }
    [[nodiscard]] double bytes_per_element() const {
        return sector_bytes * static_cast<double>(tile_sectors) / static_cast<double>(elements);
    }

    /// The bytes per element if each sector serves both of its rows before it is dropped, because another
    /// tile reads the next row.
    [[nodiscard]] double bytes_per_element_of_rows() const {
        if (tile_halves == 0) return bytes_per_element();
        return sector_bytes / 2.0 * static_cast<double>(tile_halves) / static_cast<double>(elements);
    }
};

/// The demand of at most `most_tiles` tiles, spread over the walk. In linear and pitched memory a sector has
/// 32 bytes of a row; in a CUDA array 16 bytes of each of two rows (measured on an H200).
Demand demand_of(const Pattern& pattern, std::size_t bytes, std::size_t element_bytes, Path path,
                 unsigned most_tiles);

}  // namespace cudabook::access_patterns
