// How a grid is cut into the tiles of kernel `registers` (kernels/steps_in_registers.cuh), and how many steps
// each of its launches does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/cuda/host_device.hpp"

namespace cudabook::heat {

inline constexpr int register_columns = 128;  // of a tile: four for each lane of a warp
inline constexpr int register_rows = 10;      // of a warp
inline constexpr int register_warps = 12;     // of a block, at most
inline constexpr int register_steps = 16;     // in one launch, at most

/// The columns of a tile at each side of those that it writes, a multiple of four.
CUDABOOK_HOST_DEVICE constexpr int register_halo(int steps) { return (steps + 3) / 4 * 4; }

struct RegisterTiling {
    int warps;           ///< of a block
    std::int64_t tiles;  ///< that cover the grid
};

/// The tiles for one launch of that many steps (1 to register_steps). Where all of them can run at once, one
/// on each multiprocessor, they are as low as that allows.
constexpr RegisterTiling register_tiling(int width, int height, int steps, int multiprocessors) {
    const auto pieces = [](int whole, int length) { return whole / length + (whole % length != 0 ? 1 : 0); };
    const int across = pieces(width, register_columns - 2 * register_halo(steps));
    const int at_once = std::max(1, multiprocessors / across);
    const int rows = std::min(pieces(height, at_once) + 2 * steps, height);
    const int warps = std::min(pieces(rows, register_rows), register_warps);
    // A grid that is lower than one tile has one tile, all of whose rows are right.
    const int written = height <= warps * register_rows ? height : warps * register_rows - 2 * steps;
    return {warps, std::int64_t{across} * pieces(height, written)};
}

/// How long that many steps take in launches of at most `most` steps, by a model in microseconds of an H200:
/// each launch has a price, so has loading and storing a tile, and a step costs time for each warp of the
/// tile. The ratios serve for other GPUs too.
constexpr double register_time(int width, int height, int steps, int most, int multiprocessors) {
    constexpr double launch = 1.0;
    constexpr double load_and_store = 4.0;
    constexpr double step_of_a_warp = 0.027;
    const int launches = (steps + most - 1) / most;
    const RegisterTiling tiling = register_tiling(width, height, most, multiprocessors);
    const auto waves = static_cast<double>((tiling.tiles + multiprocessors - 1) / multiprocessors);
    return launches * (launch + waves * (load_and_store + step_of_a_warp * tiling.warps * steps / launches));
}

/// The number from 1 to `most` for which time_of() is least.
template <class TimeOf>
constexpr int quickest(int most, TimeOf time_of) {
    int best = 1;
    double least = std::numeric_limits<double>::max();
    for (int i = 1; i <= most; ++i)
        if (const double time = time_of(i); time < least) {
            least = time;
            best = i;
        }
    return best;
}

/// The most steps that a launch should do where `steps` steps are to be done in all.
constexpr int register_steps_at_once(int width, int height, int steps, int multiprocessors) {
    return quickest(std::min(steps, register_steps),
                    [=](int most) { return register_time(width, height, steps, most, multiprocessors); });
}

/// How deep the halos of a part of that size should be where `steps` steps are to be done in all: the most
/// steps between two exchanges with other GPUs, which one launch does. An exchange costs what two H100s were
/// measured to need beside the steps.
constexpr int register_halo_depth(int width, int height, int steps, int multiprocessors) {
    constexpr double exchange = 25;
    return quickest(std::min(steps, register_steps), [=](int depth) {
        const int exchanges = (steps + depth - 1) / depth;
        return exchanges * exchange + register_time(width, height, steps, depth, multiprocessors);
    });
}

}  // namespace cudabook::heat
