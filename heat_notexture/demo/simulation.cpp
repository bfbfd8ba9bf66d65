#include "heat_notexture/demo/simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "heat_notexture/demo/brush.hpp"
#include "heat_notexture/gpu_solver.hpp"

namespace cudabook::heat {

namespace {

constexpr int round_steps[] = {1, 2, 5, 10, 20, 45, 90, 180, 450, 900};
constexpr int frames_between_origins = 10;

}  // namespace

Simulation::Simulation(const Sample& sample, const Kernel& kernel, int gpu, const Scene& scene, float speed,
                       int steps, bool keep_origins)
    : sample_(sample),
      kernel_(&kernel),
      scene_(scene),
      options_{speed, gpu, Launch::graph},
      gpu_known_(kernel.device == DeviceKind::cuda),
      steps_(steps),
      keep_origins_(keep_origins),
      sources_(scene.sources),
      solver_(kernel.make(scene, options_)) {}

double Simulation::frame(std::optional<Canvas> canvas) {
    if (keep_origins_ && (changed_ || frames_ == frames_between_origins)) {
        save();
        changed_ = false;
        from_scene_ = false;
        frames_ = 0;
    }
    ++frames_;
    return canvas ? solver_->frame(steps_, *canvas) : solver_->advance(steps_);
}

std::optional<Origin> Simulation::origin() const {
    if (changed_) return Origin{scene_of(solver_->temperatures()), steps_, 0};
    if (from_scene_) return std::nullopt;
    const auto* const gpu = dynamic_cast<const GpuSolver*>(solver_.get());
    return Origin{scene_of(gpu != nullptr ? gpu->saved() : saved_), steps_, frames_};
}

void Simulation::save() {
    if (auto* const gpu = dynamic_cast<GpuSolver*>(solver_.get()))
        gpu->save();
    else
        saved_ = solver_->temperatures();
}

std::string Simulation::switch_kernel(int by) {
    std::vector<const Kernel*> of_device;
    for (const Kernel& kernel : sample_.kernels)
        if (kernel.device == kernel_->device) of_device.push_back(&kernel);
    const auto count = static_cast<std::ptrdiff_t>(of_device.size());
    const auto named = [this](const Kernel* kernel) { return kernel->name == kernel_->name; };
    const auto now = std::ranges::find_if(of_device, named) - of_device.begin();
    return use(*of_device[static_cast<std::size_t>((now + by + count) % count)]);
}

std::string Simulation::switch_device() {
    const bool to_gpu = kernel_->device == DeviceKind::cpu;
    if (to_gpu && !gpu_known_) {
        const FoundDevice found = first_usable(sample_.find_devices());
        if (!found.device) return "no GPU: " + found.why_none;
        options_.device = found.device->index;
        gpu_known_ = true;
    }
    const DeviceKind device = to_gpu ? DeviceKind::cuda : DeviceKind::cpu;
    const std::string& name = to_gpu ? sample_.defaults.gpu : sample_.defaults.cpu;
    return use(*std::ranges::find_if(sample_.kernels, [&](const Kernel& kernel) {
        return kernel.device == device && kernel.name == name;
    }));
}

// Frees the old kernel's memory before the new kernel asks for memory.
std::string Simulation::use(const Kernel& kernel) {
    if (kernel.device == kernel_->device && kernel.name == kernel_->name) return {};
    const Scene now = scene_of(solver_->temperatures());
    solver_.reset();
    try {
        solver_ = kernel.make(now, options_);
    } catch (const MachineError& error) {
        solver_ = kernel_->make(now, options_);
        mark_changed();
        return fmt::format("no {}: {}", kernel.name, error.what());
    }
    kernel_ = &kernel;
    mark_changed();
    return {};
}

void Simulation::reset() {
    solver_.reset();  // before the new solver asks for memory
    solver_ = kernel_->make(scene_, options_);
    sources_ = scene_.sources;
    mark_changed();
}

void Simulation::more_steps() {
    const auto* next = std::ranges::upper_bound(round_steps, steps_);
    if (next != std::end(round_steps)) set_steps(*next);
}

void Simulation::fewer_steps() {
    const auto* next = std::ranges::lower_bound(round_steps, steps_);
    if (next != std::begin(round_steps)) set_steps(*std::prev(next));
}

void Simulation::set_steps(int steps) {
    steps_ = steps;
    mark_changed();
}

void Simulation::paint(const Drag& drag) {
    const Region painted = paint_sources(sources_, scene_.width, scene_.height, drag);
    solver_->set_sources(painted, cells_in(sources_, painted, scene_.width));
    mark_changed();
}

Scene Simulation::scene_of(std::vector<float> temperatures) const {
    return {scene_.width, scene_.height, sources_, std::move(temperatures)};
}

/// Notes a change by the user, so that the next frame begins from a new origin.
void Simulation::mark_changed() {
    changed_ = true;
    untouched_ = false;
}

}  // namespace cudabook::heat
