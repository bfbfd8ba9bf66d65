// A solver on a GPU: buffers, the graph of a frame's steps, and the picture, which goes to the host or stays
// on the device. heat and heat_notexture differ in their kernels and in the View through which these read a
// grid.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/heat/gpu/cuda_kernel.cuh"
#include "common/heat/gpu/grid.cuh"
#include "common/heat/gpu/kernels/colour.cuh"
#include "common/heat/gpu/kernels/mark_tiles.cuh"
#include "common/heat/gpu/kernels/write_sources.cuh"
#include "common/heat/kernel.hpp"
#include "common/heat/solver.hpp"
#include "common/program/fault.hpp"

namespace cudabook::heat {

template <class View>
class CudaSolver final : public Solver {
  public:
    CudaSolver(CudaKernel<View> kernel, const Scene& scene, const SolverOptions& options)
        : device_(use_device(options.device)),
          kernel_(std::move(kernel)),
          options_(options),
          bounded_(is_bounded(scene, options.speed)),
          multiprocessors_(device_attribute(cudaDevAttrMultiProcessorCount, device_)),
          shape_(shape_of(scene)),
          grids_{grid_of(scene.start), grid_of(scene.start)},
          sources_(grid_of(scene.sources)),
          tile_has_source_(shape_.tiles()),
          pixels_(scene.cells()) {
        prepare_sources();
    }
    ~CudaSolver() override { cudaSetDevice(device_); }  // for its members, whichever thread frees them

    double advance(int steps) override {
        use_device(device_);
        stopwatch_.start(stream_);
        run(steps);
        return stopwatch_.stop(stream_);
    }

    double frame(int steps, Canvas canvas) override {
        use_device(device_);
        const bool to_host = canvas.memory == DeviceKind::cpu;
        const std::size_t bytes = pixels_.size() * sizeof(Rgba);
        if (to_host && options_.launch == Launch::graph && (!page_lock_ || page_lock_->data() != canvas.rgba))
            page_lock_.emplace(canvas.rgba, bytes);
        stopwatch_.start(stream_);
        run(steps);
        launch_overlapped(Reads::memory, colour_kernel, shape_.blocks(tile_block), tile_block, stream_,
                          to_host ? pixels_.data() : reinterpret_cast<Rgba*>(canvas.rgba),
                          grids_[current_].cells.data(), shape_.width, shape_.height, shape_.pitch);
        if (to_host)
            CUDA_CHECK(
                cudaMemcpyAsync(canvas.rgba, pixels_.data(), bytes, cudaMemcpyDeviceToHost, stream_.get()));
        return stopwatch_.stop(stream_);
    }

    [[nodiscard]] std::vector<float> temperatures() const override {
        std::vector<float> cells = without_padding(grids_[current_].cells);
        flip_bit_if_asked(kernel_.name, std::span(cells));
        return cells;
    }

    void set_sources(const std::vector<float>& sources, const Region& changed) override {
        use_device(device_);
        std::vector<float> new_sources;
        for (int y = changed.y; y < changed.y + changed.height; ++y)
            for (int x = changed.x; x < changed.x + changed.width; ++x)
                new_sources.push_back(
                    sources[static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * shape_.width]);
        std::vector<float> cells(new_sources.size());
        copy_region(cells.data(), grids_[current_].cells.data(), changed, cudaMemcpyDeviceToHost);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (new_sources[i] != 0) cells[i] = new_sources[i];
        copy_region(cells.data(), grids_[current_].cells.data(), changed, cudaMemcpyHostToDevice);
        copy_region(new_sources.data(), sources_.cells.data(), changed, cudaMemcpyHostToDevice);
        if (bounded_ && !std::ranges::all_of(new_sources, is_small)) {
            bounded_ = false;
            graphs_.clear();
        }
        prepare_sources();
    }

    void save() override {
        use_device(device_);
        if (!saved_) saved_.emplace(shape_.size());
        CUDA_CHECK(cudaMemcpyAsync(saved_->data(), grids_[current_].cells.data(),
                                   shape_.size() * sizeof(float), cudaMemcpyDeviceToDevice, stream_.get()));
    }

    [[nodiscard]] std::vector<float> saved() const override { return without_padding(saved_.value()); }

    [[nodiscard]] std::optional<Occupancy> occupancy() const override {
        return occupancy_of(kernel_.function, static_cast<int>(kernel_.block.x * kernel_.block.y), device_);
    }

  private:
    static constexpr int most_steps = 1000;  ///< in one graph
    static constexpr dim3 tile_block{tile_threads_x, tile_height};

    static int use_device(int device) {
        CUDA_CHECK(cudaSetDevice(device));
        return device;
    }

    /// Whether no temperature can become infinite: with these speeds a new one lies between the least and
    /// the largest of its five cells.
    static bool is_bounded(const Scene& scene, float speed) {
        return speed >= 0 && speed <= 0.25F && std::ranges::all_of(scene.start, is_small) &&
               std::ranges::all_of(scene.sources, is_small);
    }
    static bool is_small(float t) { return std::abs(t) <= 0x1p96F; }

    /// After the sources have changed.
    void prepare_sources() const {
        sources_.load_view(stream_);
        launch(mark_tiles_kernel, shape_.tiles(), tile_block, stream_, sources_.cells.data(),
               tile_has_source_.data(), shape_.width, shape_.height, shape_.pitch);
        stream_.synchronize();
    }

    [[nodiscard]] std::vector<float> without_padding(const DeviceArray<float>& rows) const {
        use_device(device_);
        std::vector<float> cells(std::size_t{shape_.width} * shape_.height);
        const std::size_t row_bytes = shape_.width * sizeof(float);
        CUDA_CHECK(cudaMemcpy2D(cells.data(), row_bytes, rows.data(), shape_.pitch * sizeof(float), row_bytes,
                                shape_.height, cudaMemcpyDeviceToHost));
        return cells;
    }

    /// Copies a part of a grid between the device and the host, which holds that part alone, row-major. The
    /// cells between the device's rows repeat their row's last cell afterwards.
    void copy_region(float* host, float* device, const Region& region, cudaMemcpyKind kind) const {
        const std::size_t width = static_cast<std::size_t>(region.width) * sizeof(float);
        const std::size_t pitch = shape_.pitch * sizeof(float);
        const auto rows = static_cast<std::size_t>(region.height);
        float* const first = device + static_cast<std::size_t>(region.y) * shape_.pitch + region.x;
        if (kind == cudaMemcpyDeviceToHost) {
            CUDA_CHECK(cudaMemcpy2D(host, width, first, pitch, width, rows, kind));
            return;
        }
        CUDA_CHECK(cudaMemcpy2D(first, pitch, host, width, width, rows, kind));
        const auto end = static_cast<unsigned>(region.x + region.width);
        if (end == shape_.width)
            for (unsigned x = end; x < shape_.pitch; ++x)
                CUDA_CHECK(cudaMemcpy2D(first + (x - static_cast<unsigned>(region.x)), pitch,
                                        host + region.width - 1, width, sizeof(float), rows, kind));
    }

    static Shape shape_of(const Scene& scene) {
        const auto width = static_cast<unsigned>(scene.width);
        const unsigned pitch = (width + View::row_alignment - 1) / View::row_alignment * View::row_alignment;
        return {width, static_cast<unsigned>(scene.height), pitch};
    }

    Grid<View> grid_of(const std::vector<float>& cells) const {
        std::vector<float> rows(shape_.size());
        auto from = cells.begin();
        for (auto to = rows.begin(); to != rows.end(); to += shape_.pitch, from += shape_.width)
            std::fill(std::copy(from, from + shape_.width, to), to + shape_.pitch, from[shape_.width - 1]);
        return {rows, shape_, device_};
    }

    void run(int steps) {
        while (steps > 0) {
            const int piece = std::min(steps, most_steps);
            const int launches = launches_of(piece);
            if (options_.launch == Launch::graph) {
                auto graph = graphs_.find({current_, piece});
                if (graph == graphs_.end())
                    graph = graphs_.try_emplace({current_, piece}, stream_, [&] { enqueue(piece, launches); })
                                .first;
                graph->second.launch(stream_);
            } else {
                enqueue(piece, launches);
            }
            current_ = (current_ + static_cast<std::size_t>(launches)) % 2;
            steps -= piece;
        }
    }

    [[nodiscard]] int launches_of(int steps) const {
        const int at_once = kernel_.steps_at_once(shape_, steps, multiprocessors_);
        return (steps + at_once - 1) / at_once;
    }

    void enqueue(int steps, int launches) {
        if (kernel_.write_sources == WriteSources::after_step)
            launch(write_sources_kernel, shape_.tiles(), tile_block, stream_, grids_[current_].cells.data(),
                   sources_.cells.data(), tile_has_source_.data(), shape_.width, shape_.height, shape_.pitch);
        grids_[current_].load_view(stream_);
        for (int i = 0; i < launches; ++i) {
            const auto from = (current_ + static_cast<std::size_t>(i)) % 2;
            const int share = steps / launches + (i < steps % launches ? 1 : 0);
            kernel_.enqueue({.stream = stream_,
                             .in = grids_[from],
                             .sources = sources_,
                             .out = grids_[1 - from],
                             .tile_has_source = tile_has_source_.data(),
                             .shape = shape_,
                             .speed = options_.speed,
                             .steps = share,
                             .last = i + 1 == launches,
                             .bounded = bounded_,
                             .multiprocessors = multiprocessors_},
                            kernel_.block);
        }
        grids_[(current_ + static_cast<std::size_t>(launches)) % 2].store_view(stream_);
    }

    int device_;
    CudaKernel<View> kernel_;
    SolverOptions options_;
    bool bounded_;
    int multiprocessors_;
    Shape shape_;
    Stream stream_;
    Stopwatch stopwatch_;
    std::array<Grid<View>, 2> grids_;
    std::size_t current_ = 0;  ///< which of the grids holds the temperatures
    Grid<View> sources_;
    DeviceArray<bool> tile_has_source_;
    DeviceArray<Rgba> pixels_;
    std::optional<DeviceArray<float>> saved_;
    std::optional<PageLock> page_lock_;
    std::map<std::pair<std::size_t, int>, Graph> graphs_;  ///< by the grid they begin with and their steps
};

/// A row of gpu.cu's table as a row of the program's.
template <class View>
Kernel kernel_of(const CudaKernel<View>& row) {
    return {.name = row.name,
            .memory = row.memory,
            .what = row.what,
            .device = DeviceKind::cuda,
            .make = [row](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                return std::make_unique<CudaSolver<View>>(row, scene, options);
            },
            .many_steps = row.steps_at_once != at_most<1>};
}

}  // namespace cudabook::heat
