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
    unsigned number = 0;      ///< the request's number in one call of Warp::put_together()

    // add() keeps these figures, which nearly always suffice to count sectors and wavefronts.
    bool ascending = false;          ///< no lane's address is below the previous lane's address
    unsigned sector_changes = 0;     ///< 1 + the number of lanes in another sector than the previous lane
    std::uint64_t address_bits = 0;  ///< all addresses, combined by OR

    std::uint64_t first = 0;  ///< the first lane's address
    std::uint64_t last = 0;

    /// Resets all members except `lanes`, `place` and `number`. Adds no lane.
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

/// The cost of a request to the texture unit: sectors, and the groups of lanes that the unit processes one
/// after another. A group of a fetch has 8 lanes, or 4 if texels have 16 bytes or the fetch is not from
/// linear memory by tex1Dfetch() (measured on an H200). An access with address 0 has no sector.
struct FetchParts {
    unsigned tag_requests = 0;  ///< NVIDIA's "requests to T-Stage"
    unsigned sectors = 0;
};
FetchParts parts_of_fetch(const Request& request, bool from_plane);
FetchParts parts_of_groups(const Request& request, unsigned lanes_at_a_time);

/// How often the 32 banks of shared memory, of 4 bytes each, must be read or written.
struct Wavefronts {
    unsigned all = 0;
    unsigned conflicts = 0;  ///< wavefronts in excess of the number that accesses of this size need
                             ///< without bank conflicts
};

/// Returns the wavefronts of accesses to shared memory. Lanes that read the same word share a wavefront.
/// Accesses of 8 bytes are made by half a warp at a time, accesses of 16 bytes by a quarter. Two halves, or
/// the two quarters of a half, are combined if each active lane has the same address as its neighbour, or if
/// each has the same address as the lane at distance 2 (found on GPUs by many; not documented).
Wavefronts wavefronts_of(const Request& request);

}  // namespace cudabook::emulation
