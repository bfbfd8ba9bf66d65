// What reading in a pattern's order takes: the sectors of 32 bytes that requests ask for, and those that must
// be moved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/pattern.hpp"

namespace cudabook::access_patterns {

inline constexpr unsigned sector_bytes = 32;

/// Counted over whole tiles, of walk_tile() elements, which a block reads at once.
struct Demand {
    std::uint64_t elements = 0;
    std::uint64_t requests = 0;  ///< of warps
    /// Those of each request. The texture unit takes 8 threads at a time, or 4 if texels have 16 bytes or the
    /// texture has two dimensions (measured on an H200), and these groups count apart.
    std::uint64_t sectors = 0;
    /// Different ones of each tile: what must come from beyond the multiprocessor at least if it has nothing
    /// yet.
    std::uint64_t tile_sectors = 0;
    /// Different halves of sectors, 16 bytes of a row, likewise; counted in CUDA arrays alone.
    std::uint64_t tile_halves = 0;

    [[nodiscard]] double sectors_per_request() const {
        return static_cast<double>(sectors) / static_cast<double>(requests);
    }
    [[nodiscard]] double bytes_per_element() const {
        return sector_bytes * static_cast<double>(tile_sectors) / static_cast<double>(elements);
    }

    /// The same if each sector serves both of its rows before it is dropped: another tile reads the next row.
    [[nodiscard]] double bytes_per_element_of_rows() const {
        if (tile_halves == 0) return bytes_per_element();
        return sector_bytes / 2.0 * static_cast<double>(tile_halves) / static_cast<double>(elements);
    }
};

/// Of at most `most_tiles` tiles, spread over the walk. In linear and pitched memory a sector has 32 bytes of
/// a row; in a CUDA array 16 bytes of each of two rows (measured on an H200).
Demand demand_of(const Pattern& pattern, std::size_t bytes, std::size_t element_bytes, Path path,
                 unsigned most_tiles);

}  // namespace cudabook::access_patterns
