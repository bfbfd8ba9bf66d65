// How long launches of kernel `streamed` take, and where kernel `prefetched` or `registers` is quicker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// Returns the time of a launch in µs, by a model of an H100. most_steps: the most steps of a launch, which
/// decide the tiling. sources: null if the grid has no sources.
inline double streamed_launch_time(const StreamTiling& tiling, int width, int height, double steps,
                                   int most_steps, SourceTiles* sources) {
    constexpr double launch = 1.5;
    constexpr double taking_shares = 1;  // only with sources
    const double row = tiling.columns == 12 ? 0.275 : 0.416;
    const double warps = (steps + steps_of_warp - 1) / steps_of_warp;
    const RowsInLine line = rows_in_line(height, most_steps);
    const auto places = static_cast<double>(line.count(bands_of(width, tiling.columns, most_steps).count));
    const double rows =
        sources != nullptr ? sources->time(tiling, most_steps) : places / tiling.blocks + line.extra;
    return launch + (sources != nullptr ? taking_shares : 0) + row * (warps > 4 ? 1 : 0.66) * rows;
}

/// Returns the quickest tiling for a launch of kernel `streamed`, or nullopt if no tiling takes less than
/// `than` µs or the kernel cannot do the launch. sources: null if the grid has no sources.
inline std::optional<StreamTiling> stream_tiling(int width, int height, double steps, int most_steps,
                                                 const GpuTraits& gpu, SourceTiles* sources, double than) {
    std::optional<StreamTiling> best;
    if (!gpu.is_hopper || width % 4 != 0 || height < least_stream_height) return best;
    for (const int columns : stream_columns) {
        if (width < 32 * columns) continue;
        const std::int64_t rows =
            rows_in_line(height, most_steps).count(bands_of(width, columns, most_steps).count);
        if (rows >= std::int64_t{1} << 30) continue;
        const StreamTiling tiling{
            columns, std::min({gpu.multiprocessors, most_stream_blocks, static_cast<int>(rows)})};
        // Sources cost time, so a launch that is too slow without them need not be cut.
        if (streamed_launch_time(tiling, width, height, steps, most_steps, nullptr) >= than) continue;
        const double time = streamed_launch_time(tiling, width, height, steps, most_steps, sources);
        if (time < than) {
            than = time;
            best = tiling;
        }
    }
    return best;
}

/// A model of the time in µs of a launch of another kernel.
using OneLaunchTime = double (*)(int width, int height, double steps, int most_steps, int multiprocessors);

/// Returns the time in µs of a launch of another kernel, or infinity if that kernel cannot do `most_steps`
/// steps in a launch.
constexpr double unstreamed_time(OneLaunchTime others, int width, int height, double steps, int most_steps,
                                 int multiprocessors) {
    return most_steps > register_steps ? std::numeric_limits<double>::infinity()
                                       : others(width, height, steps, most_steps, multiprocessors);
}

/// Returns the time in µs of `steps` steps in launches of at most `most` steps, by kernel `streamed`, which
/// leaves a launch to another kernel if that kernel's time, others(), is less. Returns infinity if the other
/// kernel cannot do `most` steps in a launch and `most` is not a multiple of a warp's steps.
template <OneLaunchTime others>
double streamed_time(int width, int height, int steps, int most, const GpuTraits& gpu, SourceTiles* sources) {
    if (most > register_steps && most % steps_of_warp != 0) return std::numeric_limits<double>::infinity();
    const int launches = rounds_of(steps, most);
    const double steps_of_a_launch = static_cast<double>(steps) / launches;
    const double unstreamed =
        unstreamed_time(others, width, height, steps_of_a_launch, most, gpu.multiprocessors);
    const auto tiling = stream_tiling(width, height, steps_of_a_launch, most, gpu, sources, unstreamed);
    return launches * (tiling ? streamed_launch_time(*tiling, width, height, steps_of_a_launch, most, sources)
                              : unstreamed);
}

/// Returns whether kernel `streamed` is quicker than the other kernel by more than `ahead` µs in a launch of
/// `steps` steps of a grid without sources.
template <OneLaunchTime others>
bool is_streamed(int width, int height, int steps, const GpuTraits& gpu, double ahead) {
    const double unstreamed = unstreamed_time(others, width, height, steps, steps, gpu.multiprocessors);
    return stream_tiling(width, height, steps, steps, gpu, nullptr, unstreamed - ahead).has_value();
}

}  // namespace cudabook::heat
