// The least time that reading an array can take, calculated from the machine's ceilings. The ceilings are
// measured in the same run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "access_patterns/traffic.hpp"

namespace cudabook::access_patterns {

/// The highest rates of a machine.
struct Ceilings {
    double memory_gb_per_s = 0;  ///< the bandwidth of the memory that holds the array
    double cache_gb_per_s = 0;   ///< the bandwidth of the cache that all multiprocessors share; 0 if unknown
    std::size_t cache_bytes = 0;
    /// The rates in elements per nanosecond, by kernel and element size, while the array is in the
    /// multiprocessor's cache.
    std::map<std::pair<std::string, std::size_t>, double> unit_rates = {};
    std::map<std::string, double> walk_rates = {};  ///< elements per ns without reads, by pattern
};

/// Returns true if an array of `bytes` bytes stays in the cache, that is, if the array fills at most three
/// quarters of the cache.
constexpr bool fits_into(std::size_t cache_bytes, std::size_t bytes) { return bytes <= cache_bytes / 4 * 3; }

struct Floor {
    double ms;
    const char* by;  ///< what limits the speed: memory, cache, unit or walk
};

/// Returns the least time in which an array of `bytes` bytes can be read once. This time is the longest of
/// four times. A time whose ceiling is unknown is 0.
/// - memory: the time to read each byte of the array once from memory, or 0 if the array stays in the cache
///   (see fits_into()). A GPU reads sectors several times if the pattern is not Returns::soon, or if the
///   memory is not cached (cache_bytes is 0). In these cases the time is at least s · t, where t is the time
///   to read the sectors of every tile, and s is 1 - cache_bytes / bytes, the share of the array that the
///   cache cannot hold. With Returns::by_rows, each sector of a CUDA array serves both of its rows (see
///   Demand::bytes_per_element_of_rows()). On the CPU, whose caches are unknown, the time is always the time
///   to read each byte once.
/// - cache: the time to read the sectors of every tile from the cache that all multiprocessors share.
/// - unit: the number of elements, divided by the rate of the unit for loads or textures.
/// - walk: the number of elements, divided by the rate of computing the indices of the elements.
Floor floor_of(const Kernel& kernel, const NamedPattern& pattern, std::size_t bytes,
               std::size_t element_bytes, const Demand& demand, const Ceilings& ceilings);

}  // namespace cudabook::access_patterns
