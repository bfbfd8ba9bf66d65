// A table of data about the process's memory, which takes memory only where there are data.
#pragma once

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace cudabook::emulation {

using Address = std::uintptr_t;

/// The bytes that have their data in one leaf of a table.
inline constexpr std::size_t leaf_bytes = std::size_t{1} << 24U;

/// A Leaf has the data of leaf_bytes. It begins as zeros, and is never freed.
template <class Leaf>
class AddressTable {
  public:
    /// Returns the leaf of the address, or null if there is none.
    [[gnu::always_inline]] Leaf* find(Address address) const {
        const Address index = address / leaf_bytes;
        return index < leaves_.size() ? leaves_[index].load(std::memory_order_acquire) : nullptr;
    }

    /// Makes the leaves of these bytes. Errors: std::bad_alloc.
    void make(Address begin, std::size_t bytes) {
        for (Address address = begin / leaf_bytes * leaf_bytes; address < begin + bytes;
             address += leaf_bytes) {
            if (find(address) != nullptr) continue;
            const std::lock_guard lock(mutex_);
            std::atomic<Leaf*>& leaf = leaves_.at(address / leaf_bytes);
            if (leaf.load() != nullptr) continue;
            void* const zeros = mmap(nullptr, sizeof(Leaf), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (zeros == MAP_FAILED) throw std::bad_alloc();
            leaf = static_cast<Leaf*>(zeros);
        }
    }

  private:
    std::array<std::atomic<Leaf*>, (std::size_t{1} << 47U) / leaf_bytes> leaves_{};
    std::mutex mutex_;
};

}  // namespace cudabook::emulation
