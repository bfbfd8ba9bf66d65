// The addresses of __constant__ variables, in a program that counts memory requests.
#pragma once

#include <cstdint>

namespace cudabook::emulation {

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    [[nodiscard]] bool has(std::uint64_t address) const { return address - begin < size; }
};

/// Returns the range that contains all __constant__ variables, or an empty range if there are none.
Range constants();

}  // namespace cudabook::emulation
