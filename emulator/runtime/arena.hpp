// The memory of the emulated GPU's arrays. An inaccessible guard lies before and behind each array, so that a
// kernel faults if it uses memory just outside its array. With AddressSanitizer and ThreadSanitizer, arrays
// are on the heap and have no guards, because the sanitizers check the heap themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudabook::emulation {

/// Whether the host's code may use an array. If the access is `none`, only kernels and the runtime may use
/// the array. An access by the host's code then faults if the array has guards, the processor has protection
/// keys (pkeys(7)) and Linux has a key left.
enum class HostAccess { allowed, none };

/// Allocates an array that is aligned to 512 bytes. Returns null if the host has no memory. The array's end
/// is as near to the guard behind it as the alignment allows. At most 8192 arrays have guards at a time.
void* allocate_array(std::size_t bytes, HostAccess access);

/// Lets the host's code use all arrays, for Thrust's algorithms, which run on the host. Call this before
/// arrays are allocated.
void let_host_use_arrays();

/// Lets the host's code use an array.
void share_with_host(void* memory);

/// While this object lives, the calling operating system's thread may use all arrays or, with `false`, no
/// protected array (HostAccess::none). A thread that has no ArraysInReach may use no protected array. But a
/// new thread inherits the rights of the thread that starts it. The new thread keeps these rights until the
/// first ArraysInReach of its own is destroyed.
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

/// Frees an array. If the array has guards, any use of it faults from now on, until 64 more guarded arrays
/// have been freed.
void free_array(void* memory);

/// The position of an address relative to the array that contains it. If the address is in a guard, the
/// position is relative to the guard's array.
struct BesideArray {
    enum class Where { before, behind, freed, within };
    Where where;
    std::size_t distance;  ///< bytes before the array, behind its end, or into the array
    std::size_t bytes;     ///< the size of the array
};

/// Finds the array that contains the address, or that has a guard that contains it. Returns nothing if there
/// is none. A signal handler may call this.
std::optional<BesideArray> beside_which_array(std::uintptr_t address);

/// Looks for bytes between an array and its guard that a kernel has overwritten. Returns the position of one
/// of these bytes, or nothing if there is none. Restores all overwritten bytes, so that each mistake is found
/// only once.
std::optional<BesideArray> find_overwritten();

}  // namespace cudabook::emulation
