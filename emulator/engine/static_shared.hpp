// How much shared memory kernels declare. emulator/objects/ determines this when a program is built.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

/// The static shared memory of a kernel. The name is as in the symbol table.
struct StaticShared {
    const char* kernel;
    std::size_t bytes;
};

/// Registers a table. The constructor copies what it needs of the table.
class KnownStaticShared {
  public:
    template <std::size_t size>
    explicit KnownStaticShared(const StaticShared (&table)[size]) : KnownStaticShared(table, size) {}

  private:
    KnownStaticShared(const StaticShared* table, std::size_t size);
};

}  // namespace cudabook::emulation
