// The sizes of the shared memory that kernels declare. emulator/objects/ finds the sizes when a program is
// built.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

/// The size of a kernel's static shared memory. `kernel` is the kernel's name in the symbol table.
struct StaticShared {
    const char* kernel;
    std::size_t bytes;
};

/// Registers the sizes in a table. The constructor copies the table.
class KnownStaticShared {
  public:
    template <std::size_t size>
    explicit KnownStaticShared(const StaticShared (&table)[size]) : KnownStaticShared(table, size) {}

  private:
    KnownStaticShared(const StaticShared* table, std::size_t size);
};

}  // namespace cudabook::emulation
