// The memory of the emulated GPU's arrays. Guards, which may not be touched, lie before and behind each
// array: a kernel that leaves its array faults there. With AddressSanitizer and ThreadSanitizer, arrays are
// on the heap, which these tools guard themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabook::emulation {

/// Returns memory aligned to 512 bytes, or null if the host has no memory. The array ends where its guard
/// begins, or as near to it as the alignment allows. At most 8192 arrays have guards at a time.
void* allocate_array(std::size_t bytes);

/// Frees an array. Touching a guarded array is an error from now on, until 64 more guarded arrays have been
/// freed.
void free_array(void* memory);

/// The place of an address that is in no array, relative to the nearest array.
struct BesideArray {
    enum class Where { before, behind, freed };
    Where where;
    std::size_t distance;  ///< bytes to the array's begin, from its end, or into the freed array
    std::size_t bytes;     ///< of that array
};

/// Returns the array that has the address just before it, behind it or, if it has been freed, in it. A signal
/// handler may call this.
std::optional<BesideArray> beside_which_array(std::uintptr_t address);

/// Returns a place between an array and its guard that was written, or nothing. All such places are restored,
/// so each is found once; if there are several, only one is returned.
std::optional<BesideArray> find_overwritten();

}  // namespace cudabook::emulation
