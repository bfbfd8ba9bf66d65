// A solver on a GPU: buffers, the graph of a frame's steps, and the picture, which goes to the host or stays
// on the device. heat and heat_notexture differ in their kernels and in the View through which the kernels
// read a grid.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/fault.hpp"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/device_grid.cuh"
#include "heat_notexture/gpu/part_halos.cuh"
#include "heat_notexture/gpu/pictures.cuh"
#include "heat_notexture/gpu_solver.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/kernels/colour.cuh"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

template <class View>
class CudaSolver final : public GpuSolver {
  public:
    CudaSolver(CudaKernel<View> kernel, const Scene& scene, const SolverOptions& options)
        : device_(use_device(options.device)),
          heating_{.kernel = std::move(kernel),
                   .speed = options.speed,
                   .bounded = is_bounded(scene, options.speed),
                   .in_part = false,
                   .beside_strips = false,
                   .gpu = {device_attribute(cudaDevAttrMultiProcessorCount, device_),
                           capability_of_device() == 90}},
          name_(options.kernel.empty() ? heating_.kernel.name : options.kernel),
          launch_(options.launch),
          grid_(scene.width, scene.height, scene.start, scene.sources, device_),
          cells_(scene.cells()),
          pictures_(cells_, options.launch == Launch::graph) {
        wait_for_default_stream();
    }
    ~CudaSolver() override { cudaSetDevice(device_); }  // for the members' destructors, in any thread

    double advance(int steps) override {
        use_device(device_);
        stopwatch_.start(stream_);
        run(steps);
        return stopwatch_.stop(stream_);
    }

    double frame(int steps, Canvas canvas) override {
        use_device(device_);
        const bool to_host = canvas.memory == DeviceKind::cpu;
        if (to_host) pictures_.prepare(canvas.rgba);
        stopwatch_.start(stream_);
        run(steps);
        if (!to_host) {
            draw(reinterpret_cast<Rgba*>(canvas.rgba));
            return stopwatch_.stop(stream_);
        }
        begin_picture(canvas);
        const double ms = stopwatch_.stop(pictures_.copies());
        pictures_.end();
        return ms;
    }

    void begin_frame(int steps, Canvas canvas) override {
        if (canvas.memory != DeviceKind::cpu) {
            frame(steps, canvas);
            return;
        }
        use_device(device_);
        pictures_.prepare(canvas.rgba);
        run(steps);
        begin_picture(canvas);
    }

    void end_frame() override {
        use_device(device_);
        pictures_.end();
    }

    [[nodiscard]] std::vector<float> temperatures() const override {
        std::vector<float> cells = without_padding(grid_.cells(current_.grid));
        flip_bit_if_asked(name_, std::span(cells));
        return cells;
    }

    void read(const Region& region, float* cells) const override {
        use_device(device_);
        download(region, grid_.cells(current_.grid), cells);
    }

    void write(const Region& region, const float* cells) override {
        use_device(device_);
        upload(region, cells, grid_.cells(current_.grid));
        stay_bounded_only_with(std::span(
            cells, static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height)));
    }

    bool exchange_by(DeviceLink& link, const Borders& borders, int steps) override {
        use_device(device_);
        auto* const between_streams = dynamic_cast<StreamLink*>(&link);
        if (between_streams != nullptr) {
            const auto without_strips = heating_.kernel.without_strips;
            const bool with_strips =
                !heating_.bounded || without_strips == nullptr ||
                !without_strips(static_cast<int>(grid_.shape().width), static_cast<int>(grid_.shape().height),
                                steps, heating_.gpu, full_gpu_us);
            halos_ = std::make_unique<PartHalos<View>>(*between_streams, borders, steps, with_strips, grid_,
                                                       device_);
        }
        heating_.in_part = halos_ != nullptr;
        heating_.beside_strips = halos_ != nullptr && halos_->has_strips();
        return heating_.in_part;
    }

    void set_sources(const Region& region, const std::vector<float>& sources) override {
        use_device(device_);
        std::vector<float> cells(sources.size());
        download(region, grid_.cells(current_.grid), cells.data());
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (sources[i] != 0) cells[i] = sources[i];
        upload(region, cells.data(), grid_.cells(current_.grid));
        upload(region, sources.data(), grid_.sources());
        stay_bounded_only_with(sources);
        sources_are_prepared_ = false;
    }

    void save() override {
        use_device(device_);
        const std::size_t size = grid_.shape().size();
        if (!saved_) saved_.emplace(size);
        CUDA_CHECK(cudaMemcpyAsync(saved_->data(), grid_.cells(current_.grid), size * sizeof(float),
                                   cudaMemcpyDeviceToDevice, stream_.get()));
    }

    [[nodiscard]] std::vector<float> saved() const override { return without_padding(saved_.value().data()); }

    [[nodiscard]] std::optional<Occupancy> occupancy() const override {
        const CudaKernel<View>& kernel = heating_.kernel;
        const bool elsewhere = kernel.function_elsewhere != nullptr && !heating_.gpu.is_hopper;
        return occupancy_of({elsewhere ? kernel.function_elsewhere : kernel.function,
                             static_cast<int>(kernel.block.x * kernel.block.y)},
                            device_);
    }

  private:
    static constexpr int most_steps = 1000;  ///< the most steps in one graph

    static int use_device(int device) {
        CUDA_CHECK(cudaSetDevice(device));
        return device;
    }

    /// Returns whether no temperature can become infinite: with these speeds, a new temperature lies between
    /// the least and the greatest of its five cells.
    static bool is_bounded(const Scene& scene, float speed) {
        return speed >= 0 && speed <= 0.25F && std::ranges::all_of(scene.start, is_small) &&
               std::ranges::all_of(scene.sources, is_small);
    }
    void stay_bounded_only_with(std::span<const float> cells) {
        if (!heating_.bounded || std::ranges::all_of(cells, is_small)) return;
        heating_.bounded = false;
        graphs_.clear();
    }
    static bool is_small(float t) { return std::abs(t) <= 0x1p96F; }

    void draw(Rgba* pixels) {
        const GridShape& shape = grid_.shape();
        launch_overlapped(Reads::memory, colour_kernel, shape.blocks(tile_block), tile_block, stream_, pixels,
                          grid_.cells(current_.grid), shape.width, shape.height, shape.pitch);
    }
    void begin_picture(Canvas canvas) {
        pictures_.begin(stream_, canvas.rgba, [this](Rgba* pixels) { draw(pixels); });
    }

    /// Prepares the sources, if this has not been done since the start or since they last changed.
    void prepare_sources() {
        if (std::exchange(sources_are_prepared_, true)) return;
        bool differs = grid_.prepare_sources(heating_.kernel, stream_);
        if (halos_) differs = halos_->prepare_sources(heating_.kernel, stream_) || differs;
        if (differs) graphs_.clear();
        stream_.synchronize();
    }

    [[nodiscard]] std::vector<float> without_padding(const float* rows) const {
        use_device(device_);
        const auto width = static_cast<int>(grid_.shape().width);
        const auto height = static_cast<int>(grid_.shape().height);
        std::vector<float> cells(cells_);
        download({0, 0, width, height}, rows, cells.data());
        return cells;
    }

    /// Copies a region of a grid to `cells` on the host. `cells` holds only the region, row-major.
    void download(const Region& region, const float* grid, float* cells) const {
        const std::size_t width = static_cast<std::size_t>(region.width) * sizeof(float);
        copy(cells, width, grid + grid_.offset_of(region), grid_.shape().pitch * sizeof(float), width,
             region.height);
        stream_.synchronize();
    }

    /// Copies a region from the host to a grid. After that, the padding behind each row of the grid repeats
    /// the row's last cell.
    void upload(const Region& region, const float* cells, float* grid) const {
        const std::size_t width = static_cast<std::size_t>(region.width) * sizeof(float);
        const std::size_t pitch = grid_.shape().pitch * sizeof(float);
        float* const first = grid + grid_.offset_of(region);
        copy(first, pitch, cells, width, width, region.height);
        const auto end = static_cast<unsigned>(region.x + region.width);
        if (end == grid_.shape().width)
            for (unsigned x = end; x < grid_.shape().pitch; ++x)
                copy(first + (x - static_cast<unsigned>(region.x)), pitch, cells + region.width - 1, width,
                     sizeof(float), region.height);
        stream_.synchronize();
    }

    /// Copies `height` rows. `width` and the pitches are in bytes.
    void copy(float* to, std::size_t to_pitch, const float* from, std::size_t from_pitch, std::size_t width,
              int height) const {
        CUDA_CHECK(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, static_cast<std::size_t>(height),
                                     cudaMemcpyDefault, stream_.get()));
    }

    void run(int steps) {
        prepare_sources();
        if (halos_) halos_->connect();
        if (halos_ && !halos_->in_graphs()) {
            current_ = run_rounds(steps, [this](Current from, int now, bool ends_frame) {
                return in_graph(from, now, ends_frame, [&] { return enqueue(from, now, ends_frame); });
            });
            return;
        }
        for_each_round(steps, most_steps, [this](int now) {
            current_ = in_graph(current_, now, true, [&] {
                if (!halos_) return enqueue(current_, now, true);
                return run_rounds(now, [this](Current from, int in_round, bool ends_frame) {
                    return enqueue(from, in_round, ends_frame);
                });
            });
        });
    }

    Current enqueue(Current from, int steps, bool ends_frame) {
        return grid_.enqueue(heating_, stream_, from, steps, ends_frame);
    }

    /// Does `steps` steps of a part in rounds. run_steps(current, steps, whether these are the last) does the
    /// steps of one round. Like run_rounds(), it returns the Current afterwards.
    template <class RunSteps>
    Current run_rounds(int steps, RunSteps run_steps) {
        Current current = current_;
        int left = steps;
        for_each_round(steps, halos_->steps(), [&](int now) {
            left -= now;
            const bool ends_frame = left == 0;
            current = halos_->round(heating_, stream_, current, now, ends_frame,
                                    [&] { return run_steps(current, now, ends_frame); });
        });
        return current;
    }

    /// Launches the work that enqueue() enqueues. With Launch::as_in_text, the work is launched directly.
    /// Otherwise it is launched as one graph, which is created once and then used again.
    template <class Enqueue>
    Current in_graph(Current from, int steps, bool ends_frame, Enqueue enqueue) {
        if (launch_ == Launch::as_in_text) return enqueue();
        const GraphKey key{from.grid, from.has_sources, steps, ends_frame};
        auto found = graphs_.find(key);
        if (found == graphs_.end()) {
            Current to;
            Graph graph(stream_, [&] { to = enqueue(); });
            found = graphs_.try_emplace(key, std::pair(std::move(graph), to)).first;
        }
        found->second.first.launch(stream_);
        return found->second.second;
    }

    int device_;
    Heating<View> heating_;
    std::string name_;
    Launch launch_;
    Stream stream_{Priority::usual, cudaStreamNonBlocking};
    Stopwatch stopwatch_;
    DeviceGrid<View> grid_;
    Current current_;
    bool sources_are_prepared_ = false;
    std::size_t cells_;
    Pictures pictures_;
    std::optional<DeviceArray<float>> saved_;
    std::unique_ptr<PartHalos<View>> halos_;  ///< null if the grid is not a part
    /// The key of a graph is the Current before it, its number of steps, and whether these are a frame's
    /// last steps. Each graph is stored with the Current afterwards.
    using GraphKey = std::tuple<std::size_t, bool, int, bool>;
    std::map<GraphKey, std::pair<Graph, Current>> graphs_;
};

/// Converts a row of the table in gpu.cu to a row of the program's kernel table.
template <class View>
Kernel kernel_of(const CudaKernel<View>& row) {
    return {.name = row.name,
            .memory = row.memory,
            .what = row.what,
            .device = DeviceKind::cuda,
            .make = [row](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                return std::make_unique<CudaSolver<View>>(row, scene, options);
            },
            .most_steps = row.most_steps,
            .time_of_launches = row.time_of_launches};
}

}  // namespace cudabook::heat
