// A grid in the memory of a GPU with its sources, and the launches that heat it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/grid.cuh"
#include "heat_notexture/gpu/source_marks.cuh"
#include "heat_notexture/parts/halo_depth.hpp"
#include "heat_notexture/region.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// The kernel that heats a grid, and its parameters.
template <class View>
struct Heating {
    CudaKernel<View> kernel;
    float speed;
    bool bounded;        ///< whether no temperature can become infinite
    bool in_part;        ///< whether the grid is a part; then one launch does the steps between two exchanges
    bool beside_strips;  ///< whether the grid is a part and has strips
    GpuTraits gpu;
};

/// Waits for the default stream, which fills new grids. The streams of a solver do not wait for the default
/// stream by themselves.
inline void wait_for_default_stream() { CUDA_CHECK(cudaStreamSynchronize(nullptr)); }

/// Which of the two grids of a DeviceGrid holds the temperatures now, and whether its cells that are sources
/// hold the sources' temperatures. Otherwise these cells hold the results of the last step.
struct Current {
    std::size_t grid = 0;
    bool has_sources = false;
};

/// Two grids that alternately hold the temperatures before and after a launch, and a grid of the sources.
/// Errors: CudaError.
template <class View>
class DeviceGrid {
  public:
    /// Makes grids in which all temperatures and sources are 0.
    DeviceGrid(int width, int height, int device) : DeviceGrid(width, height, {}, {}, device) {}

    /// start, sources: width × height cells, row-major; if empty, all cells are 0.
    DeviceGrid(int width, int height, std::span<const float> start, std::span<const float> sources,
               int device)
        : shape_(shape_of(width, height)),
          cells_{grid_of(start, device), grid_of(start, device)},
          sources_(grid_of(sources, device)),
          marks_(shape_) {}

    [[nodiscard]] const GridShape& shape() const { return shape_; }
    [[nodiscard]] float* cells(std::size_t which) const { return cells_[which].cells.data(); }
    [[nodiscard]] float* sources() const { return sources_.cells.data(); }

    /// Returns the offset in cells of a region's first cell in the memory of cells() and of sources().
    [[nodiscard]] std::size_t offset_of(const Region& region) const {
        return static_cast<std::size_t>(region.y) * shape_.pitch + static_cast<std::size_t>(region.x);
    }

    /// Prepares the sources for the kernel, and waits until they are ready. Must be called before the first
    /// step and after the sources have changed. Returns whether the set of tiles with sources has changed.
    /// Then graphs must be captured again, because the arguments of their launches depend on these tiles.
    bool prepare_sources(const CudaKernel<View>& kernel, const Stream& stream) {
        sources_.load_view(stream);
        return marks_.mark(sources(), stream, kernel.gains_by_sources);
    }

    /// Enqueues `steps` steps. ends_frame: whether these are a frame's last steps. If not, a kernel with
    /// gains_by_sources leaves the sources' temperatures in the grid. Returns the Current afterwards.
    Current enqueue(const Heating<View>& heating, const Stream& stream, Current current, int steps,
                    bool ends_frame) {
        const CudaKernel<View>& kernel = heating.kernel;
        const GpuTraits gpu{heating.gpu.multiprocessors, heating.gpu.is_hopper && heating.bounded};
        const int at_once =
            heating.in_part
                ? kernel.most_steps
                : steps_at_once(kernel.time_of_launches, kernel.most_steps, static_cast<int>(shape_.width),
                                static_cast<int>(shape_.height), steps, gpu, marks_.tiles().if_any());
        if (kernel.write_sources == WriteSources::after_step)
            marks_.write(sources(), cells(current.grid), stream);
        cells_[current.grid].load_view(stream);
        const bool leaves_sources = kernel.gains_by_sources && !ends_frame;
        for_each_launch(steps, at_once, kernel.steps_together, [&](int share, bool last) {
            kernel.enqueue({.stream = stream,
                            .in = cells_[current.grid],
                            .sources = sources_,
                            .out = cells_[1 - current.grid],
                            .marks = marks_,
                            .sources_are_in = current.has_sources,
                            .shape = shape_,
                            .speed = heating.speed,
                            .steps = share,
                            .last = last && !leaves_sources,
                            .bounded = heating.bounded,
                            .gpu = heating.gpu,
                            .full_gpu_us = heating.beside_strips ? full_gpu_us : 0},
                           kernel.block);
            current.grid = 1 - current.grid;
        });
        cells_[current.grid].store_view(stream);
        if (leaves_sources && !current.has_sources) {
            marks_.write(sources(), cells(current.grid), stream);
            current.has_sources = true;
        }
        return current;
    }

  private:
    static GridShape shape_of(int width, int height) {
        const auto columns = static_cast<unsigned>(width);
        const unsigned pitch =
            (columns + View::row_alignment - 1) / View::row_alignment * View::row_alignment;
        return {columns, static_cast<unsigned>(height), pitch};
    }

    [[nodiscard]] Grid<View> grid_of(std::span<const float> cells, int device) const {
        if (cells.empty()) return {shape_, device};
        if (shape_.pitch == shape_.width) return {cells, shape_, device};
        std::vector<float> rows(shape_.size());
        auto from = cells.begin();
        for (auto to = rows.begin(); to != rows.end(); to += shape_.pitch, from += shape_.width)
            std::fill(std::copy(from, from + shape_.width, to), to + shape_.pitch, from[shape_.width - 1]);
        return {rows, shape_, device};
    }

    GridShape shape_;
    std::array<Grid<View>, 2> cells_;
    Grid<View> sources_;
    SourceMarks marks_;
};

}  // namespace cudabook::heat
