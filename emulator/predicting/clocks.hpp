// How long a multiprocessor's L1 cache and texture unit are busy with one request of a warp, in clocks. The
// rules were found on an H200, with requests of one kind whose lines are all in the cache
// (results/request-clocks-nvidia-h200.csv).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/counting/requests.hpp"

namespace cudabook::emulation {

/// Returns the clocks of a load or store of linear memory. Lines of 128 bytes are in 4 groups; in a clock,
/// the cache finds one line of each group. The cache reads its data in wavefronts, as shared memory does.
unsigned clocks_of_access(const Request& request);

/// Returns the clocks of a fetch from linear memory by tex1Dfetch(). A texel has `bytes` bytes.
unsigned clocks_of_linear_fetch(const Request& request, unsigned bytes);

/// The places of a request's texels in a plane: the row, and the offset in the row, in bytes.
struct PlacesInPlane {
    struct Place {
        std::size_t row;
        std::size_t in_row;
    };
    std::uint32_t lanes = 0;
    std::array<Place, 32> place;
};

/// Returns the clocks of a fetch from a CUDA array or from pitched memory. A texel has `bytes` bytes, and
/// `texels` texels are blended. The rows of a CUDA array are spread over more banks than rows of
/// pitched memory.
unsigned clocks_of_plane_fetch(const PlacesInPlane& places, unsigned bytes, unsigned texels, bool is_array);

/// Returns the clocks of a fetch whose addresses are only near the texels. Eight texels take twice as long as
/// four.
unsigned clocks_near(const Request& request, unsigned texels);

/// Returns the clocks of a load or store through a surface.
unsigned clocks_of_surface(const PlacesInPlane& places, unsigned bytes);

/// Returns an address that tells which line of 128 bytes, and which sector of it, holds the texel in the
/// cache. A line holds 32 bytes of each of 4 rows of the array, and a sector holds 16 bytes of each of 2
/// rows. `begin` is the array's address, so that different arrays have different lines.
std::uint64_t address_in_lines(std::uint64_t begin, std::size_t row_bytes, PlacesInPlane::Place place);

}  // namespace cudabook::emulation
