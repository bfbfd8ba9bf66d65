// The sizes of the shared memory that kernels declare. emulator/objects/ finds them when a program is built.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

/// The bytes of a kernel's static shared memory. The kernel's name is as in the symbol table.
struct StaticShared {
    const char* kernel;
    std::size_t bytes;
};

/// Registers a table. The table need not outlive the constructor, which copies it.
class KnownStaticShared {
  public:
    template <std::size_t size>
    explicit KnownStaticShared(const StaticShared (&table)[size]) : KnownStaticShared(table, size) {}

  private:
    KnownStaticShared(const StaticShared* table, std::size_t size);
};

}  // namespace cudabook::emulation
