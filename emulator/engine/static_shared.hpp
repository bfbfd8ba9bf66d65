// How much shared memory kernels declare, as emulator/objects/ finds it when a program is built.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

/// The kernel's name is as in the symbol table.
struct StaticShared {
    const char* kernel;
    std::size_t bytes;
};

/// Makes a table known. It must last.
class KnownStaticShared {
  public:
    template <std::size_t size>
    explicit KnownStaticShared(const StaticShared (&table)[size]) : KnownStaticShared(table, size) {}

  private:
    KnownStaticShared(const StaticShared* table, std::size_t size);
};

}  // namespace cudabook::emulation
