// The memory of the emulated GPU's arrays. Guards, which may not be used, lie before and behind each array:
// a kernel that uses memory outside its array faults there. With AddressSanitizer and ThreadSanitizer,
// arrays are on the heap, which these tools guard themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabook::emulation {

/// allowed: the host's code may use the array. none: only kernels and the runtime may; an access by the host
/// faults if the array has guards, the processor has protection keys (pkeys(7)) and Linux has a key left.
enum class HostAccess { allowed, none };

/// Returns memory aligned to 512 bytes, or null if the host has no memory. The array ends where the guard
/// behind it begins, or as near to that as the alignment allows. At most 8192 arrays have guards at a time.
void* allocate_array(std::size_t bytes, HostAccess access);

/// Lets the host's code use all arrays, for Thrust's algorithms, which run on the host. Call this before
/// arrays are allocated.
void let_host_use_arrays();

/// Lets the host's code use an array.
void share_with_host(void* memory);

/// While this object lives, this operating system's thread may use all arrays or, with `false`, no protected
/// array. Threads without such an object may use no protected array. But a thread that this thread starts
/// meanwhile has the same rights, until an object of its own ends.
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

/// Frees an array. Using a guarded array is an error from now on, until 64 more guarded arrays have been
/// freed.
void free_array(void* memory);

/// The place of an address relative to the array that contains it or, if none does, to the array beside it.
struct BesideArray {
    enum class Where { before, behind, freed, within };
    Where where;
    std::size_t distance;  ///< bytes to the array's begin, from its end, or into the array
    std::size_t bytes;     ///< the size of the array
};

/// Returns the array that contains the address or has the address in one of its guards; nothing if there is
/// none. A signal handler may call this.
std::optional<BesideArray> beside_which_array(std::uintptr_t address);

/// Returns a place between an array and its guard that a kernel has overwritten, or nothing. Restores all
/// such places, so that each is found only once; if there are several, returns only one of them.
std::optional<BesideArray> find_overwritten();

}  // namespace cudabook::emulation
