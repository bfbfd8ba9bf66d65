// The addresses of the __constant__ variables of a program that counts.
#pragma once

#include <cstdint>

namespace cudabook::emulation {

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    [[nodiscard]] bool has(std::uint64_t address) const { return address - begin < size; }
};

/// Returns the range that contains all __constant__ variables; empty if there are none.
Range constants();

}  // namespace cudabook::emulation
