// The least time that reading an array can take, from the machine's ceilings measured in the same run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "access_patterns/traffic.hpp"

namespace cudabook::access_patterns {

/// The highest rates of a machine.
struct Ceilings {
    double memory_gb_per_s = 0;  ///< of the memory where the array is
    double cache_gb_per_s = 0;   ///< of the cache that all multiprocessors share; 0 if unknown
    std::size_t cache_bytes = 0;
    /// Elements per nanosecond of each kernel and element size, with the array in the multiprocessor's cache.
    std::map<std::pair<std::string, std::size_t>, double> unit_rates = {};
    std::map<std::string, double> walk_rates = {};  ///< of each pattern, only computing places
};

/// An array of at most three quarters of the cache stays in it.
constexpr bool fits_into(std::size_t cache_bytes, std::size_t bytes) { return bytes <= cache_bytes / 4 * 3; }

struct Floor {
    double ms;
    const char* by;  ///< the cause: memory, cache, unit or walk
};

/// The floor of reading `bytes` bytes once: the longest of
/// - memory, unless the array stays in the cache: the time to read the array once. If the pattern returns
///   late, the time for the sectors of each tile instead, less the share of the array that the cache can hold
///   meanwhile; for all of them if no cache keeps that memory (cache_bytes is 0). In a CUDA array, strides
///   use both rows of a sector. On the CPU, whose caches are unknown, the time to read the array once;
/// - cache: the time for the sectors of each tile;
/// - unit: the number of elements, divided by the rate of the unit for loads or textures;
/// - walk: the number of elements, divided by the rate of computing their places.
Floor floor_of(const Kernel& kernel, const NamedPattern& pattern, std::size_t bytes,
               std::size_t element_bytes, const Demand& demand, const Ceilings& ceilings);

}  // namespace cudabook::access_patterns
