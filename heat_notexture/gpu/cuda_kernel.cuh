// A row of the table in a sample's gpu.cu: a kernel, how it is launched, and what a launch is given.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/grid.cuh"
#include "heat_notexture/gpu/register_tiling.hpp"

namespace cudabook::heat {

/// What the launches of one step, or of a few at once, are made with: they read `in` and `sources`, and write
/// `out`.
template <class View>
struct Step {
    const Stream& stream;
    const Grid<View>& in;
    const Grid<View>& sources;
    const Grid<View>& out;
    const bool* tile_has_source;
    Shape shape;
    float speed;
    int steps;
    bool last;     ///< of the launches that are enqueued together
    bool bounded;  ///< no temperature can become infinite
    bool in_part;  ///< of a grid whose other parts other GPUs heat
    int multiprocessors;
};

/// When a launch writes the sources into the grid: before its steps into the grid that it reads, or after its
/// step into the grid that it writes, for the next one. In the second case the solver writes those of the
/// first step, and the last step writes none.
enum class WriteSources { before_step, after_step };

/// How many of the steps that a grid is to do one launch may do.
using StepsAtOnce = int (*)(const Shape&, int steps, int multiprocessors);
template <int most>
int at_most(const Shape&, int, int) {
    return most;
}
template <TimeOfLaunches time_of>
int as_many_as_are_quickest(const Shape& shape, int steps, int multiprocessors) {
    return steps_at_once<time_of>(static_cast<int>(shape.width), static_cast<int>(shape.height), steps,
                                  multiprocessors);
}
template <TimeOfLaunches time_of>
int halos_for(const Shape& shape, int steps, int multiprocessors) {
    return halo_depth<time_of>(static_cast<int>(shape.width), static_cast<int>(shape.height), steps,
                               multiprocessors);
}

/// A row of a sample's table in gpu.cu.
template <class View>
struct CudaKernel {
    std::string name;
    std::string memory;
    std::string what;
    const void* function;  ///< whose occupancy is reported
    dim3 block;            ///< threads
    WriteSources write_sources;
    int most_steps;  ///< of a launch
    StepsAtOnce steps_at_once;
    void (*enqueue)(const Step<View>&, dim3 block);
    StepsAtOnce halo_depth = nullptr;  ///< of a part, in steps; null: most_steps
};

/// Whether the kernels that keep tiles in registers need not take care of every case: the tile is `rows`
/// cells high.
template <class View>
bool is_most_grid(const Step<View>& s, int rows) {
    const auto width = static_cast<int>(s.shape.width);
    return width % 4 == 0 && width >= register_columns && static_cast<int>(s.shape.height) >= rows &&
           s.bounded;
}

/// Launches kernel `registers` of a sample: its instance for any grid, or the one for most of them.
template <class View, class Kernel, class... Grids>
void launch_registers(Reads reads, Kernel any_grid, Kernel most_grids, const Step<View>& s, Grids... grids) {
    const auto width = static_cast<int>(s.shape.width);
    const auto height = static_cast<int>(s.shape.height);
    const RegisterTiling tiling = register_tiling(width, height, s.steps, s.multiprocessors);
    const bool most = is_most_grid(s, tiling.warps * register_rows);
    launch_overlapped(reads, most ? most_grids : any_grid, static_cast<unsigned>(tiling.tiles),
                      dim3(32, static_cast<unsigned>(tiling.warps)), s.stream, s.out.cells.data(), grids...,
                      s.tile_has_source, width, height, static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

}  // namespace cudabook::heat
