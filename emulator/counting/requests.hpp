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
    std::uint32_t place = 0;  ///< in the code, as of an Event
    unsigned number = 0;      ///< of the warp's requests that are put together at once

    // While it is put together: what nearly always is all that one has to know.
    bool ascending = false;          ///< no lane's address is below that of the lane before
    unsigned sector_changes = 0;     ///< lanes in another sector than the lane before, and the first
    std::uint64_t address_bits = 0;  ///< of all addresses

    std::uint64_t first = 0;  ///< address
    std::uint64_t last = 0;

    /// Of no lane yet but `lanes`.
    void begin(unsigned size, std::uint64_t first_address) {
        bytes = size;
        ascending = true;
        sector_changes = 1;
        address_bits = 0;
        first = last = first_address;
    }

    /// The lane's access, lane after lane.
    void add(unsigned lane, std::uint64_t at) {
        ascending &= at >= last;
        sector_changes += at / 32 != last / 32 ? 1 : 0;
        address_bits |= at;
        last = at;
        address[lane] = at;
    }

    [[nodiscard]] bool aligned() const { return (address_bits & (bytes - 1)) == 0; }
};

/// How many sectors of 32 bytes the accesses touch.
unsigned sectors_of(const Request& request);

/// How many different addresses they have: of constant memory, which gives a warp one at a time.
unsigned addresses_of(const Request& request);

/// The same of what goes through the texture unit, and how many groups of lanes take part. Of a texture the
/// unit takes 8 lanes at a time, or 4 if texels have 16 bytes or the texture is not of one dimension
/// (measured on an H200). An address 0 is nowhere in memory.
struct FetchParts {
    unsigned tag_requests = 0;  ///< NVIDIA's "requests to T-Stage"
    unsigned sectors = 0;
};
FetchParts parts_of_fetch(const Request& request, bool from_plane);
FetchParts parts_of_groups(const Request& request, unsigned lanes_at_a_time);

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
