// How a grid is cut into the tiles of kernels `registers` and `prefetched` (kernels/6_registers.cuh), and how
// long their launches take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/cuda/host_device.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

inline constexpr int register_columns = 128;  // columns of a tile: four for each lane of a warp
inline constexpr int register_rows = 10;      // rows of a warp, in kernel `registers`
inline constexpr int register_warps = 12;     // the most warps of a block
// The most steps in one launch. Exception: kernel `streamed` leaves launches of up to 24 steps to these
// kernels if a temperature may become infinite or the grid is a part.
inline constexpr int register_steps = 16;

/// Returns the width of a tile's halo at the left and at the right, a multiple of four. The tile computes
/// these columns but does not write them.
CUDABOOK_HOST_DEVICE constexpr int register_halo(int steps) { return (steps + 3) / 4 * 4; }

/// Returns how many tiles cover a row or column of `cells` cells. A tile of `tile` cells loses `halo` cells
/// at both ends, but none at an end of the grid.
CUDABOOK_HOST_DEVICE constexpr int tiles_along(int cells, int tile, int halo) {
    const int apart = tile - 2 * halo;
    return cells <= tile ? 1 : (cells - 2 * halo + apart - 1) / apart;
}

struct RegisterTiling {
    int warps;           ///< the warps of a block
    std::int64_t tiles;  ///< the tiles that cover the grid
};

/// Returns the tiling for one launch of `steps` steps. A tile has `warps` warps, and each warp has `rows`
/// rows.
constexpr RegisterTiling tiling_by(int warps, int rows, int width, int height, int steps) {
    return {warps, std::int64_t{tiles_along(width, register_columns, register_halo(steps))} *
                       tiles_along(height, warps * rows, steps)};
}

/// Returns the tiling of kernel `registers` for a launch of 1 to register_steps steps. If all tiles can run
/// at once, one on each multiprocessor, the tiles have as few rows as this allows.
constexpr RegisterTiling register_tiling(int width, int height, int steps, int multiprocessors) {
    const auto pieces = [](int whole, int length) { return whole / length + (whole % length != 0 ? 1 : 0); };
    const int across = tiles_along(width, register_columns, register_halo(steps));
    const int at_once = std::max(1, multiprocessors / across);
    const int rows = std::min(pieces(std::max(height - 2 * steps, 1), at_once) + 2 * steps, height);
    return tiling_by(std::min(pieces(rows, register_rows), register_warps), register_rows, width, height,
                     steps);
}

/// Returns the time in µs of a launch of kernel `registers`, by a model of an H200. The ratios of its times
/// serve for other GPUs too. A launch has a fixed cost, and so have loading and storing a tile. A step costs
/// time for each warp of the tile. halo: the most steps of a launch, which decide the tiling.
constexpr double register_launch_time(int width, int height, double steps, int halo, int multiprocessors) {
    constexpr double launch = 1.0;
    constexpr double load_and_store = 4.0;
    constexpr double step_of_a_warp = 0.027;
    const RegisterTiling tiling = register_tiling(width, height, halo, multiprocessors);
    const auto waves = static_cast<double>((tiling.tiles + multiprocessors - 1) / multiprocessors);
    return launch + waves * (load_and_store + step_of_a_warp * tiling.warps * steps);
}

/// The numbers of rows that a warp of kernel `prefetched` can hold. A block has register_warps warps. Tiles
/// with fewer rows fit more grids and the shared memory of more GPUs.
inline constexpr int prefetched_rows[] = {12, 14};

struct PrefetchedTiling {
    int rows = 0;            ///< the rows of a warp
    std::int64_t tiles = 0;  ///< the tiles that cover the grid
};

/// Returns the time of a launch of kernel `prefetched` in µs.
constexpr double prefetched_launch_time(const PrefetchedTiling& tiling, double steps, int multiprocessors) {
    constexpr double launch = 5.0;  // includes loading the first tile, which no computation hides
    constexpr double load_and_store_of_a_row = 0.225;
    constexpr double step_of_a_row = 0.0352;
    const auto waves = static_cast<double>((tiling.tiles + multiprocessors - 1) / multiprocessors);
    return launch + waves * tiling.rows * (load_and_store_of_a_row + step_of_a_row * steps);
}

/// Returns the tiling with which a launch of kernel `prefetched` is quickest, with at most `most_rows` rows a
/// warp. Returns nullopt unless it is quicker than kernel `registers` by more than `ahead` µs.
constexpr std::optional<PrefetchedTiling> prefetched_tiling(int width, int height, int steps, int most_rows,
                                                            int multiprocessors, double ahead = 0) {
    double least = register_launch_time(width, height, steps, steps, multiprocessors) - ahead;
    std::optional<PrefetchedTiling> best;
    for (const int rows : prefetched_rows) {
        if (rows > most_rows || rows * register_warps > height) continue;
        const RegisterTiling tiling = tiling_by(register_warps, rows, width, height, steps);
        const PrefetchedTiling prefetched{rows, tiling.tiles};
        if (const double time = prefetched_launch_time(prefetched, steps, multiprocessors); time < least) {
            least = time;
            best = prefetched;
        }
    }
    return best;
}

/// Returns the time in µs of `steps` steps in launches of at most `most` steps, by kernel `registers`.
constexpr double register_time(int width, int height, int steps, int most, const GpuTraits& gpu,
                               SourceTiles*) {
    const int launches = rounds_of(steps, most);
    const double steps_of_a_launch = static_cast<double>(steps) / launches;
    return launches * register_launch_time(width, height, steps_of_a_launch, most, gpu.multiprocessors);
}

/// Returns the time in µs of a launch of kernel `prefetched`, which leaves the launch to kernel `registers`
/// if that is quicker. most: the most steps of a launch, which decide the tiling.
constexpr double prefetched_or_register_time(int width, int height, double steps, int most,
                                             int multiprocessors) {
    const auto tiling =
        prefetched_tiling(width, height, most, std::ranges::max(prefetched_rows), multiprocessors);
    return tiling ? prefetched_launch_time(*tiling, steps, multiprocessors)
                  : register_launch_time(width, height, steps, most, multiprocessors);
}

/// Returns the time in µs of `steps` steps in launches of at most `most` steps, by kernel `prefetched`.
constexpr double prefetched_time(int width, int height, int steps, int most, const GpuTraits& gpu,
                                 SourceTiles*) {
    const int launches = rounds_of(steps, most);
    return launches * prefetched_or_register_time(width, height, static_cast<double>(steps) / launches, most,
                                                  gpu.multiprocessors);
}

}  // namespace cudabook::heat
