// How kernel `streamed` (kernels/8_streamed.cuh) cuts a grid into bands of columns, and the bands into the
// stretches of rows that its blocks do. stream_cuts.hpp distributes the stretches among the blocks.
#pragma once

#include <cstdint>

#include "common/cuda/host_device.hpp"
#include "heat_notexture/gpu/register_tiling.hpp"

namespace cudabook::heat {

// The columns of a lane: an odd number of float4, so that neighbouring lanes access different banks.
inline constexpr int stream_columns[] = {12, 20};
inline constexpr int least_stream_height = 32;
inline constexpr int stream_warps = 8;  // the warps of a block that compute
inline constexpr int steps_of_warp = 3;
inline constexpr int stream_steps = stream_warps * steps_of_warp;  // the most steps in one launch
inline constexpr int most_stream_blocks = 256;

/// The bands of columns into which a grid is divided. A band is a warp wide: each lane has `columns` columns.
/// Neighbouring bands overlap by at least two halos of register_halo() columns. The bands are evenly spaced:
/// the first band begins at the grid's left edge, and the last band ends at the right edge.
struct Bands {
    int width;  ///< of the grid in cells: a multiple of four, and at least the width of a band
    int columns;
    int count;

    /// Returns the first column of a band.
    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr int begin(int band) const {
        if (count == 1) return 0;
        return static_cast<int>(std::int64_t{width - 32 * columns} * band / (count - 1)) / 4 * 4;
    }

    /// Returns the first column that a band writes. The previous band writes the columns before it.
    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr int first_written(int band) const {
        if (band == 0) return 0;
        if (band == count) return width;
        return (begin(band - 1) + 32 * columns + begin(band)) / 8 * 4;
    }
};

CUDABOOK_HOST_DEVICE constexpr Bands bands_of(int width, int columns, int steps) {
    return {width, columns, tiles_along(width, 32 * columns, register_halo(steps))};
}

/// The rows of a band from `top` up to, but not including, `bottom`.
struct Stretch {
    int band;
    int top, bottom;
};

/// The rows of all bands in one line. Between two bands the line has `extra` places, which stand for the cost
/// of beginning another stretch: the rows above and below that are computed twice, and the rows that are in
/// flight between the warps.
struct RowsInLine {
    int height;
    int extra;

    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr std::int64_t count(int bands) const {
        return (std::int64_t{height} + extra) * bands - extra;
    }

    /// Sets `stretch` to the first stretch from place `next` to `end` in the line, and moves `next` behind
    /// the stretch. Returns false if there is no stretch left.
    CUDABOOK_HOST_DEVICE constexpr bool take(int& next, int end, Stretch& stretch) const {
        while (next < end) {
            stretch.band = next / (height + extra);
            const int begin = stretch.band * (height + extra);
            stretch.top = next - begin;
            stretch.bottom = end - begin < height ? end - begin : height;
            next = begin + height + extra < end ? begin + height + extra : end;
            if (stretch.top < height) return true;
        }
        return false;
    }
};

CUDABOOK_HOST_DEVICE constexpr RowsInLine rows_in_line(int height, int steps) {
    return {height, 2 * steps + 3 * stream_warps};
}

/// The shares of the blocks. A share is the line's places from `begin` up to, but not including, `end`. The
/// shares that have sources come first. The results of the other shares depend on no rows with sources.
struct StreamCuts {
    struct Share {
        int begin, end;
    };
    Share shares[most_stream_blocks];
    int with_sources;
};

/// How many shares the blocks of a launch have taken, and how many blocks have taken a share.
struct TakenShares {
    int with_sources, without_sources, blocks;
};

/// Returns the number of words of a row in a bit grid, where each bit says whether a cell is a source. The
/// rows begin at multiples of 16 bytes.
CUDABOOK_HOST_DEVICE constexpr int source_words(int width) { return width / 128 * 4 + 8; }

/// Returns the index in a row of the first word that a band needs if the band begins at column x. The word
/// begins at a multiple of 16 bytes. The band needs source_words(its width) words.
CUDABOOK_HOST_DEVICE constexpr int first_source_word(int x) { return x / 128 * 4; }

/// The launch parameters of kernel `streamed` for a grid.
struct StreamTiling {
    int columns = 0;  ///< the columns of a lane
    int blocks = 0;
};

}  // namespace cudabook::heat
