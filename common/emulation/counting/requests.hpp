// What the accesses of a warp's lanes by one instruction take: sectors of global memory, wavefronts of shared
// memory.
#pragma once

#include <array>
#include <cstdint>

namespace cudabook::emulation {

/// The lanes that take part, and the address of each; all accesses have the same size, 1 to 16 bytes.
struct Request {
    std::uint32_t lanes = 0;
    unsigned bytes = 0;
    std::array<std::uint64_t, 32> address;
};

/// How many sectors of 32 bytes the accesses touch.
unsigned sectors_of(const Request& request);

/// How often shared memory, of 32 banks of 4 bytes, has to be read or written.
struct Wavefronts {
    unsigned all = 0;
    unsigned conflicts = 0;  ///< beyond those that accesses of this size take without bank conflicts
};

/// Lanes that want the same word get it together. Accesses of 8 bytes are made by half a warp at a time,
/// those of 16 bytes by a quarter; two halves, or the two quarters of a half, go together if each active lane
/// has the same address as its neighbour, or each the same as the one two lanes further (found on GPUs by
/// many; NVIDIA does not say it).
Wavefronts wavefronts_of(const Request& request);

}  // namespace cudabook::emulation
