// How long a multiprocessor's L1 cache and texture unit are busy with one request of a warp, in clocks. The
// rules were found on an H200, with requests of one kind whose lines are all in the cache
// (results/request-clocks-nvidia-h200.csv).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/counting/requests.hpp"

namespace cudabook::emulation {

/// A load or store of linear memory. The cache finds the lines of 128 bytes in 4 groups at a time, and reads
/// its data as shared memory does.
unsigned clocks_of_access(const Request& request);

/// A fetch from linear memory by tex1Dfetch() or the like. `bytes`: of a texel.
unsigned clocks_of_linear_fetch(const Request& request, unsigned bytes);

/// The places of a request's texels in a plane: the row, and the bytes from the row's beginning.
struct PlacesInPlane {
    struct Place {
        std::size_t row;
        std::size_t in_row;
    };
    std::uint32_t lanes = 0;
    std::array<Place, 32> place;
};

/// A fetch from an array or from memory with a pitch. `texels`: how many texels are blended. Rows of arrays
/// are spread over more banks.
unsigned clocks_of_plane_fetch(const PlacesInPlane& places, unsigned bytes, unsigned texels, bool is_array);

/// A fetch of which only addresses near the texels are known. Eight texels take twice as long as four.
unsigned clocks_near(const Request& request, unsigned texels);

/// A load or store through a surface.
unsigned clocks_of_surface(const PlacesInPlane& places, unsigned bytes);

/// Returns an address whose line of 128 bytes is that of the texel in the cache: 32 bytes of each of 4 rows,
/// made of sectors of 16 bytes of each of 2 rows. `begin`: where the array begins, so that arrays do not
/// share lines.
std::uint64_t address_in_lines(std::uint64_t begin, std::size_t row_bytes, PlacesInPlane::Place place);

}  // namespace cudabook::emulation
