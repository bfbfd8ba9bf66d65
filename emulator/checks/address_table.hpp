// A table of data about the process's memory. It takes memory only for addresses that have data.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace cudabook::emulation {

using Address = std::uintptr_t;

/// One leaf of a table has the data about this many bytes of memory.
inline constexpr std::size_t leaf_bytes = std::size_t{1} << 24U;

/// A table with one Leaf for each leaf_bytes bytes of memory that have data. A new leaf is all zeros. Leaves
/// are never freed. Tables must be static variables, because a static table is all zeros at first.
template <class Leaf>
class AddressTable {
  public:
    /// Returns the leaf of the address, or null if there is none.
    [[gnu::always_inline]] Leaf* find(Address address) const {
        const Address index = address / leaf_bytes;
        return index < most_leaves ? __atomic_load_n(&leaves_[index], __ATOMIC_ACQUIRE) : nullptr;
    }

    /// Makes the leaves for these bytes that do not exist yet. Throws std::bad_alloc.
    void make(Address begin, std::size_t bytes) {
        for (Address address = begin / leaf_bytes * leaf_bytes; address < begin + bytes;
             address += leaf_bytes) {
            if (find(address) != nullptr) continue;
            static std::mutex mutex;
            const std::lock_guard lock(mutex);
            if (find(address) != nullptr) continue;
            if (address / leaf_bytes >= most_leaves) throw std::bad_alloc();
            void* const zeros = mmap(nullptr, sizeof(Leaf), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (zeros == MAP_FAILED) throw std::bad_alloc();
            __atomic_store_n(&leaves_[address / leaf_bytes], static_cast<Leaf*>(zeros), __ATOMIC_RELEASE);
        }
    }

  private:
    static constexpr std::size_t most_leaves = (std::size_t{1} << 47U) / leaf_bytes;
    Leaf* leaves_[most_leaves];  // not std::atomic: a static table is all zeros, without a constructor
};

}  // namespace cudabook::emulation
