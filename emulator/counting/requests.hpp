// The cost of a warp's accesses by one instruction: sectors of global memory, wavefronts of shared memory.
#pragma once

#include <array>
#include <cstdint>

namespace cudabook::emulation {

/// An instruction's accesses: the lanes that take part, and the address of each. All accesses have the same
/// size, 1 to 16 bytes.
struct Request {
    std::uint32_t lanes = 0;
    unsigned bytes = 0;
    std::array<std::uint64_t, 32> address;
    std::uint32_t place = 0;  ///< in the code, as in Event
    unsigned number = 0;      ///< the request's number in one call of put_together()

    // Filled while the request is put together. These nearly always suffice to count sectors and wavefronts.
    bool ascending = false;          ///< no lane's address is below the previous lane's address
    unsigned sector_changes = 0;     ///< 1 + the number of lanes in another sector than the previous lane
    std::uint64_t address_bits = 0;  ///< all addresses, combined by OR

    std::uint64_t first = 0;  ///< address of the first lane
    std::uint64_t last = 0;

    /// Resets everything but `lanes`, without adding a lane.
    void begin(unsigned size, std::uint64_t first_address) {
        bytes = size;
        ascending = true;
        sector_changes = 1;
        address_bits = 0;
        first = last = first_address;
    }

    /// Adds a lane's access. Lanes are added in ascending order.
    void add(unsigned lane, std::uint64_t at) {
        ascending &= at >= last;
        sector_changes += at / 32 != last / 32 ? 1 : 0;
        address_bits |= at;
        last = at;
        address[lane] = at;
    }

    [[nodiscard]] bool aligned() const { return (address_bits & (bytes - 1)) == 0; }
};

/// Returns how many sectors of 32 bytes the accesses touch.
unsigned sectors_of(const Request& request);

/// Returns how many different addresses the accesses have. Constant memory serves one address of a warp at
/// a time.
unsigned addresses_of(const Request& request);

/// The sectors of accesses through the texture unit, and the groups of lanes that take part. For a texture
/// the unit takes 8 lanes at a time, or 4 if texels have 16 bytes or the texture is not one-dimensional
/// (measured on an H200). An access with address 0 has no sector.
struct FetchParts {
    unsigned tag_requests = 0;  ///< NVIDIA's "requests to T-Stage"
    unsigned sectors = 0;
};
FetchParts parts_of_fetch(const Request& request, bool from_plane);
FetchParts parts_of_groups(const Request& request, unsigned lanes_at_a_time);

/// How often shared memory, which has 32 banks of 4 bytes, must be read or written.
struct Wavefronts {
    unsigned all = 0;
    unsigned conflicts = 0;  ///< wavefronts in excess of the number that accesses of this size need
                             ///< without bank conflicts
};

/// Lanes that read the same word get it together. Accesses of 8 bytes are made by half a warp at a time,
/// accesses of 16 bytes by a quarter. Two halves, or the two quarters of a half, go together if each active
/// lane has the same address as its neighbour, or if each has the same address as the lane at distance 2
/// (found on GPUs by many; NVIDIA does not document this).
Wavefronts wavefronts_of(const Request& request);

}  // namespace cudabook::emulation
