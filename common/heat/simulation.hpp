// The state behind a show of a heat room, without any window: the grid, its sources, the kernel at work and
// what the user may change of them while it runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/heat/scene.hpp"
#include "common/heat/solver.hpp"
#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/kernel_table.hpp"
#include "common/window/canvas.hpp"
#include "common/window/input.hpp"

namespace cudabook::heat {

/// What a room has to show.
struct Room {
    std::string name;
    std::vector<Kernel> kernels;  ///< of both devices, in the order of the table
    DefaultKernels defaults;
    FindCudaDevices find_devices;
};

/// From which grid on, with which sources and how many steps a frame, the present one was computed by one
/// kernel.
struct Origin {
    Scene scene;
    int steps = 0;
    int frames = 0;  ///< since then
};

/// A room whose kernel, sources and steps a frame may change while it runs. Errors: MachineError; those that
/// leave it as it was are told in one line instead.
class Simulation {
  public:
    /// Heats `scene`, which must outlive it, by a kernel of the room, on the GPU of that number if it is one
    /// for GPUs. keep_origins: whether origin() will be asked for.
    Simulation(const Room& room, const Kernel& kernel, int gpu, const Scene& scene, float speed, int steps,
               bool keep_origins)
        : room_(room),
          kernel_(&kernel),
          scene_(scene),
          options_{speed, gpu, Launch::graph},
          gpu_known_(kernel.device == DeviceKind::cuda),
          steps_(steps),
          keep_origins_(keep_origins),
          sources_(scene.sources),
          solver_(kernel.make(scene, options_)) {}

    /// Does a frame's steps and, if there is a canvas, draws the grid there; the time of both in ms.
    double frame(std::optional<Canvas> canvas) {
        if (keep_origins_ && (changed_ || frames_ == frames_between_origins)) {
            solver_->save();
            changed_ = false;
            from_scene_ = false;
            frames_ = 0;
        }
        ++frames_;
        return canvas ? solver_->frame(steps_, *canvas) : solver_->advance(steps_);
    }

    /// Draws the grid as it is.
    void draw(Canvas canvas) { solver_->frame(0, canvas); }

    [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
    [[nodiscard]] int gpu() const { return options_.device; }  ///< CUDA's number of it
    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] std::vector<float> temperatures() const { return solver_->temperatures(); }
    [[nodiscard]] const std::vector<float>& sources() const { return sources_; }

    /// Whether all frames were done by one kernel from the scene's start, and nothing was changed.
    [[nodiscard]] bool untouched() const { return untouched_; }

    /// Where the present grid comes from: at most a few frames back, so that another solver can follow.
    /// Nothing: from the scene's start. Only with keep_origins.
    [[nodiscard]] std::optional<Origin> origin() const {
        if (changed_) return Origin{scene_of(solver_->temperatures()), steps_, 0};
        if (from_scene_) return std::nullopt;
        return Origin{scene_of(solver_->saved()), steps_, frames_};
    }

    /// Goes on with the next kernel of the device (by = 1) or the previous one (-1); the grid stays as it is.
    /// Returns why it did not, or nothing.
    std::string switch_kernel(int by) {
        std::vector<const Kernel*> of_device;
        for (const Kernel& kernel : room_.kernels)
            if (kernel.device == kernel_->device) of_device.push_back(&kernel);
        const auto count = static_cast<std::ptrdiff_t>(of_device.size());
        const auto named = [this](const Kernel* kernel) { return kernel->name == kernel_->name; };
        const auto now = std::ranges::find_if(of_device, named) - of_device.begin();
        return go_on_with(*of_device[static_cast<std::size_t>((now + by + count) % count)]);
    }

    /// Goes on with the default kernel of the CPU or of the GPU, whichever it is not on. Returns why it did
    /// not, or nothing.
    std::string switch_device() {
        const bool to_gpu = kernel_->device == DeviceKind::cpu;
        if (to_gpu && !gpu_known_) {
            const FoundDevice found = first_usable(room_.find_devices());
            if (!found.device) return "no GPU: " + found.why_none;
            options_.device = found.device->index;
            gpu_known_ = true;
        }
        const DeviceKind device = to_gpu ? DeviceKind::cuda : DeviceKind::cpu;
        const std::string& name = to_gpu ? room_.defaults.cuda : room_.defaults.cpu;
        return go_on_with(*std::ranges::find_if(room_.kernels, [&](const Kernel& kernel) {
            return kernel.device == device && kernel.name == name;
        }));
    }

    /// Back to the scene's start, with the kernel and the steps a frame of now.
    void reset() {
        solver_.reset();  // before the next one asks for memory
        solver_ = kernel_->make(scene_, options_);
        sources_ = scene_.sources;
        touch();
    }

    /// More steps a frame, or fewer: the next of a row of round numbers.
    void more_steps() {
        const auto* next = std::ranges::upper_bound(round_steps, steps_);
        if (next != std::end(round_steps)) set_steps(*next);
    }
    void fewer_steps() {
        const auto* next = std::ranges::lower_bound(round_steps, steps_);
        if (next != std::begin(round_steps)) set_steps(*std::prev(next));
    }

    /// Paints sources along a piece of the mouse's way: hot ones by the left button, cold ones by the right
    /// one; with Shift it takes sources away.
    void paint(const Drag& drag) {
        const float source = drag.shift                    ? 0.0F
                             : drag.button == Button::left ? max_temperature
                                                           : min_temperature;
        const int radius = std::max(1, std::min(scene_.width, scene_.height) / 128);
        const int left = std::max(0, std::min(drag.from.x, drag.to.x) - radius);
        const int bottom = std::max(0, std::min(drag.from.y, drag.to.y) - radius);
        const int right = std::min(scene_.width - 1, std::max(drag.from.x, drag.to.x) + radius);
        const int top = std::min(scene_.height - 1, std::max(drag.from.y, drag.to.y) + radius);
        for (int y = bottom; y <= top; ++y)
            for (int x = left; x <= right; ++x)
                if (is_near({x, y}, drag.from, drag.to, radius))
                    sources_[static_cast<std::size_t>(x) +
                             static_cast<std::size_t>(y) * static_cast<std::size_t>(scene_.width)] = source;
        solver_->set_sources(sources_, {left, bottom, right - left + 1, top - bottom + 1});
        touch();
    }

  private:
    static constexpr int round_steps[] = {1, 2, 5, 10, 20, 45, 90, 180, 450, 900};
    static constexpr int frames_between_origins = 10;

    /// Whether a cell is at most so far from a line from a to b.
    static bool is_near(Cell cell, Cell a, Cell b, int distance) {
        struct Vector {
            std::int64_t x, y;
            [[nodiscard]] std::int64_t times(const Vector& v) const { return x * v.x + y * v.y; }
        };
        const Vector line{b.x - a.x, b.y - a.y};
        const Vector from_a{cell.x - a.x, cell.y - a.y};
        const Vector from_b{cell.x - b.x, cell.y - b.y};
        const std::int64_t most = std::int64_t{distance} * distance;
        if (from_a.times(line) <= 0) return from_a.times(from_a) <= most;
        if (from_b.times(line) >= 0) return from_b.times(from_b) <= most;
        const auto area = static_cast<double>(from_a.x * line.y - from_a.y * line.x);
        return area * area <= static_cast<double>(most) * static_cast<double>(line.times(line));
    }

    [[nodiscard]] Scene scene_of(std::vector<float> temperatures) const {
        return {scene_.width, scene_.height, sources_, std::move(temperatures)};
    }

    /// The old kernel's memory is given back before the new one asks for its own.
    std::string go_on_with(const Kernel& kernel) {
        if (kernel.device == kernel_->device && kernel.name == kernel_->name) return {};
        const Scene now = scene_of(solver_->temperatures());
        solver_.reset();
        try {
            solver_ = kernel.make(now, options_);
        } catch (const MachineError& error) {
            solver_ = kernel_->make(now, options_);
            touch();
            return fmt::format("no {}: {}", kernel.name, error.what());
        }
        kernel_ = &kernel;
        touch();
        return {};
    }

    void set_steps(int steps) {
        steps_ = steps;
        touch();
    }

    /// What comes now has another origin.
    void touch() {
        changed_ = true;
        untouched_ = false;
    }

    const Room& room_;
    const Kernel* kernel_;
    const Scene& scene_;
    SolverOptions options_;
    bool gpu_known_;
    int steps_;
    bool keep_origins_;
    bool untouched_ = true;
    bool changed_ = false;    ///< since the origin
    bool from_scene_ = true;  ///< the origin is the scene's start, not what the solver saved
    int frames_ = 0;          ///< since the origin
    std::vector<float> sources_;
    std::unique_ptr<Solver> solver_;
};

}  // namespace cudabook::heat
