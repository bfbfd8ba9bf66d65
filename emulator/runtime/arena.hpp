// The memory of the emulated GPU's arrays. Guards, which may not be touched, lie before and behind each
// array: a kernel that leaves its array faults there. With AddressSanitizer and ThreadSanitizer, arrays are
// on the heap, which these tools guard themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabook::emulation {

/// Whether the host's code may use an array, or only kernels and the runtime may. In the second case, an
/// access by the host faults if the processor has protection keys (pkeys(7)) and Linux gives one. Arrays
/// without guards are not protected.
enum class HostAccess { allowed, none };

/// Returns memory aligned to 512 bytes, or null if the host has no memory. The array ends where its guard
/// begins, or as near to it as the alignment allows. At most 8192 arrays have guards at a time.
void* allocate_array(std::size_t bytes, HostAccess access);

/// Lets the host's code use all arrays, as Thrust's algorithms do there. Call this before arrays are
/// allocated.
void let_host_use_arrays();

/// Lets the host's code use an array.
void share_with_host(void* memory);

/// While this object lives, this operating system's thread may use all arrays or, with `false`, no protected
/// array. Other threads may use no protected array, except that a thread that is started meanwhile may until
/// such an object of its own ends.
class ArraysInReach {
  public:
    explicit ArraysInReach(bool are_in_reach = true);
    ~ArraysInReach();
    ArraysInReach(const ArraysInReach&) = delete;
    ArraysInReach& operator=(const ArraysInReach&) = delete;

  private:
    bool before_;
};

/// Returns whether this operating system's thread may use all arrays.
bool arrays_are_in_reach();

/// Frees an array. Touching a guarded array is an error from now on, until 64 more guarded arrays have been
/// freed.
void free_array(void* memory);

/// The place of an address relative to an array; if it is in no array, to the nearest one.
struct BesideArray {
    enum class Where { before, behind, freed, within };
    Where where;
    std::size_t distance;  ///< bytes to the array's begin, from its end, or into the array
    std::size_t bytes;     ///< the size of the array
};

/// Returns the array that has the address in it, just before it or behind it. A signal handler may call this.
std::optional<BesideArray> beside_which_array(std::uintptr_t address);

/// Returns a place between an array and its guard that was written, or nothing. All such places are restored,
/// so each is found once; if there are several, only one is returned.
std::optional<BesideArray> find_overwritten();

}  // namespace cudabook::emulation
