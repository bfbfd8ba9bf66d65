// A row of the table in a sample's gpu.cu: a kernel, how it is launched, and the arguments of a launch.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/grid.cuh"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/gpu/source_marks.cuh"

namespace cudabook::heat {

/// The arguments for the launches of one step, or of several steps at once. The launches read `in` and
/// `sources`, and write `out`. They may write the sources into `in`.
template <class View>
struct Step {
    const Stream& stream;
    const Grid<View>& in;
    const Grid<View>& sources;
    const Grid<View>& out;
    SourceMarks& marks;
    /// Whether `in` holds the sources' temperatures. Kernel `streamed` changes this to whether `out` does.
    bool& sources_are_in;
    GridShape shape;
    float speed;
    int steps;
    bool last;     ///< whether the launch is the last and need not leave the sources in `out`
    bool bounded;  ///< whether no temperature can become infinite
    GpuTraits gpu;
    double full_gpu_us;  ///< the extra cost in µs of a launch whose blocks leave no room for other launches
};

/// When a launch writes the sources into a grid. before_step: before its steps, into the grid that the launch
/// reads. after_step: after its step, into the grid that the launch writes, for the next step. With
/// after_step, the solver writes the sources for the first step, and the last step writes no sources.
enum class WriteSources { before_step, after_step };

/// A kernel: a row of the table in a sample's gpu.cu.
template <class View>
struct CudaKernel {
    std::string name;
    std::string memory;
    std::string what;
    const void* function;                      ///< the kernel whose occupancy is reported
    const void* function_elsewhere = nullptr;  ///< on GPUs other than Hopper; null means `function`
    dim3 block;                                ///< the threads of a block
    WriteSources write_sources;
    int most_steps;  ///< the most steps of a launch
    void (*enqueue)(const Step<View>&, dim3 block);
    TimeOfLaunches time_of_launches = nullptr;  ///< null means that a launch of more steps is always quicker
    /// Returns whether a part should have no strips (see part_halos.cuh), because launches whose blocks leave
    /// no room for other launches are `ahead` µs quicker. Null means never.
    bool (*without_strips)(int width, int height, int steps, const GpuTraits& gpu, double ahead) = nullptr;
    /// Whether a launch is quicker if the grid already holds the sources' temperatures. The rounds of parts
    /// then leave these temperatures in the grid, so that the neighbouring parts receive them too.
    bool gains_by_sources = false;
    int steps_together = 1;  ///< launches do a multiple of this many steps, where the total allows it
};

/// Returns whether the kernels that keep tiles in registers may leave out the special cases of `any_grid`
/// (see registers_kernel()). The tile is `rows` cells high.
template <class View>
bool is_most_grid(const Step<View>& s, int rows) {
    const auto width = static_cast<int>(s.shape.width);
    return width % 4 == 0 && width >= register_columns && static_cast<int>(s.shape.height) >= rows &&
           s.bounded;
}

/// The arguments for launching kernel `registers`.
struct RegisterLaunch {
    bool any_grid;
    unsigned blocks;
    dim3 threads;
};

template <class View>
RegisterLaunch register_launch(const Step<View>& s) {
    const RegisterTiling tiling = register_tiling(
        static_cast<int>(s.shape.width), static_cast<int>(s.shape.height), s.steps, s.gpu.multiprocessors);
    return {!is_most_grid(s, tiling.warps * register_rows), static_cast<unsigned>(tiling.tiles),
            dim3(32, static_cast<unsigned>(tiling.warps))};
}

}  // namespace cudabook::heat
