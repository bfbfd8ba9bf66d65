// The least time that reading an array can take, by what was measured of the machine in the same run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "access_patterns/traffic.hpp"

namespace cudabook::access_patterns {

/// What a machine does at most.
struct Ceilings {
    double memory_gb_per_s = 0;  ///< of the memory where the array is
    double cache_gb_per_s = 0;   ///< of the cache that all multiprocessors share; 0: not known
    std::size_t cache_bytes = 0;
    /// Elements a nanosecond of a kernel whose elements, of so many bytes, are in the multiprocessor's cache.
    std::map<std::pair<std::string, std::size_t>, double> unit_rates = {};
    std::map<std::string, double> walk_rates = {};  ///< the same of patterns whose places are only worked out
};

/// An array that is at most three quarters of the cache stays in it.
constexpr bool fits_into(std::size_t cache_bytes, std::size_t bytes) { return bytes <= cache_bytes / 4 * 3; }

struct Floor {
    double ms;
    const char* by;  ///< what takes so long: memory, cache, unit or walk
};

/// The floor of reading `bytes` bytes once. It is the longest of
/// - memory, unless the array stays in the cache: the array once. Where a pattern returns late, the sectors
///   of each tile, less the share of the array that the cache can hold meanwhile; where no cache keeps that
///   memory (cache_bytes is 0), all of them. In an array strides read both rows of a sector. On the CPU,
///   whose caches are not known, the array once;
/// - cache: the sectors of each tile;
/// - unit: the elements over the rate of the unit for loads or textures;
/// - walk: the elements over the rate at which their places are worked out.
Floor floor_of(const Kernel& kernel, const NamedPattern& pattern, std::size_t bytes,
               std::size_t element_bytes, const Demand& demand, const Ceilings& ceilings);

}  // namespace cudabook::access_patterns
