// Where the emulated GPU's arrays are. Before and behind each there is memory that may not be touched, so
// that a kernel that leaves its array stops there. With AddressSanitizer and ThreadSanitizer arrays are on
// the heap, where these have guards of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabook::emulation {

/// Memory, aligned to 512 bytes. It ends where the guard begins, or as near to it as the alignment allows.
/// The first 8192 arrays have guards. Null: the host has no memory.
void* allocate_array(std::size_t bytes);

/// Touching it is an error from now on, until 64 more arrays have been freed.
void free_array(void* memory);

/// Where an address is that no array holds.
struct BesideArray {
    enum class Where { before, behind, freed };
    Where where;
    std::size_t distance;  ///< in bytes: to the array's begin, from its end; into the array that was there
    std::size_t bytes;     ///< of the array
};

/// The array to whose guards the address belongs. A handler of a signal may call it.
std::optional<BesideArray> beside_which_array(std::uintptr_t address);

/// A place between an array and its guard where something was written. Each is told once, together with
/// others that there are at the time.
std::optional<BesideArray> find_overwritten();

}  // namespace cudabook::emulation
