// How kernel `streamed` (kernels/8_streamed.cuh) cuts a grid into bands of columns, and the bands into the
// stretches of rows that its blocks do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "common/cuda/host_device.hpp"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

// Of a lane. With an odd number of float4, lanes that are neighbours do not meet at the same banks.
inline constexpr int stream_columns[] = {12, 20};
inline constexpr int least_stream_height = 32;
inline constexpr int stream_warps = 8;  // of a block, that compute
inline constexpr int steps_of_warp = 3;
inline constexpr int stream_steps = stream_warps * steps_of_warp;  // in one launch, at most
inline constexpr int most_stream_blocks = 256;

/// A band is a warp wide: each lane has `columns` of its columns. Neighbouring bands overlap by two halos of
/// register_halo() columns, or by more. The bands lie evenly. The first band begins at the grid's left edge,
/// and the last ends at the right edge. width: a multiple of four, and at least a band's.
struct Bands {
    int width;
    int columns;
    int count;

    /// Returns the first column of a band.
    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr int begin(int band) const {
        if (count == 1) return 0;
        return static_cast<int>(std::int64_t{width - 32 * columns} * band / (count - 1)) / 4 * 4;
    }

    /// Returns the first column that a band writes. The band before it writes the columns before.
    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr int first_written(int band) const {
        if (band == 0) return 0;
        if (band == count) return width;
        return (begin(band - 1) + 32 * columns + begin(band)) / 8 * 4;
    }
};

CUDABOOK_HOST_DEVICE constexpr Bands bands_of(int width, int columns, int steps) {
    return {width, columns, tiles_along(width, 32 * columns, register_halo(steps))};
}

/// The rows from `top` up to, but without, `bottom` of a band.
struct Stretch {
    int band;
    int top, bottom;
};

/// The rows of all bands in one line. Between two bands the line has `extra` places, for what it costs a
/// block to begin another stretch: the rows above and below that are computed twice, and the rows that are
/// under way from warp to warp.
struct RowsInLine {
    int height;
    int extra;

    [[nodiscard]] CUDABOOK_HOST_DEVICE constexpr std::int64_t count(int bands) const {
        return (std::int64_t{height} + extra) * bands - extra;
    }

    /// Gives the first stretch from place `next` in the line to `end`, and moves `next` behind the stretch.
    /// Returns false if there is none.
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

/// Where in the line each block begins, and behind the last begin the line's end.
struct StreamCuts {
    int begin[most_stream_blocks + 1];
    bool has_sources[most_stream_blocks];  ///< false only if no row that the block reads has sources
};

/// How kernel `streamed` does a grid.
struct StreamTiling {
    int columns = 0;  ///< of a lane
    int blocks = 0;
};

/// Returns the time of a launch in µs, as an H100 took without sources.
constexpr double streamed_launch_time(const StreamTiling& tiling, int width, int height, double steps,
                                      int most_steps) {
    constexpr double launch = 1.5;
    const double row = tiling.columns == 12 ? 0.287 : 0.423;
    const double warps = (steps + steps_of_warp - 1) / steps_of_warp;
    const RowsInLine line = rows_in_line(height, most_steps);
    const auto rows = static_cast<double>(line.count(bands_of(width, tiling.columns, most_steps).count));
    return launch + row * (warps > 4 ? 1 : 0.66) * (rows / tiling.blocks + line.extra);
}

/// Returns how a launch of kernel `streamed` is quickest. Returns nullopt if a launch that takes `than` µs is
/// quicker, or if the kernel cannot do it.
constexpr std::optional<StreamTiling> stream_tiling(int width, int height, double steps, int most_steps,
                                                    const GpuTraits& gpu, double than) {
    std::optional<StreamTiling> best;
    if (!gpu.is_hopper || width % 4 != 0 || height < least_stream_height) return best;
    for (const int columns : stream_columns) {
        if (width < 32 * columns) continue;
        const std::int64_t rows =
            rows_in_line(height, most_steps).count(bands_of(width, columns, most_steps).count);
        if (rows >= std::int64_t{1} << 30) continue;
        const int blocks = std::min({gpu.multiprocessors, most_stream_blocks, static_cast<int>(rows)});
        const StreamTiling tiling{columns, blocks};
        if (const double time = streamed_launch_time(tiling, width, height, steps, most_steps); time < than) {
            than = time;
            best = tiling;
        }
    }
    return best;
}

/// Returns the time of a launch of kernel `prefetched` or `registers` in µs, or infinity if such a launch
/// does fewer steps.
constexpr double unstreamed_time(int width, int height, double steps, int most_steps, int multiprocessors) {
    return most_steps > register_steps
               ? std::numeric_limits<double>::infinity()
               : prefetched_or_register_time(width, height, steps, most_steps, multiprocessors);
}

/// Returns the time in µs of `steps` steps in launches of at most `most` steps, by kernel `streamed`. This
/// kernel leaves a launch to kernel `prefetched` if that is quicker. Where that kernel does fewer steps,
/// `most` must be a multiple of a warp's steps.
constexpr double streamed_time(int width, int height, int steps, int most, const GpuTraits& gpu) {
    if (most > register_steps && most % steps_of_warp != 0) return std::numeric_limits<double>::infinity();
    const int launches = rounds_of(steps, most);
    const double steps_of_a_launch = static_cast<double>(steps) / launches;
    const double others = unstreamed_time(width, height, steps_of_a_launch, most, gpu.multiprocessors);
    const auto tiling = stream_tiling(width, height, steps_of_a_launch, most, gpu, others);
    return launches *
           (tiling ? streamed_launch_time(*tiling, width, height, steps_of_a_launch, most) : others);
}

}  // namespace cudabook::heat
