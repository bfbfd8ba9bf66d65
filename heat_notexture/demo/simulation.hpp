// The state of a demo, without its window: the grid, its sources, the present kernel, and the changes that
// the user may make during the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/kernel_table.hpp"
#include "common/window/canvas.hpp"
#include "common/window/input.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/scene.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// A sample's kernels and devices.
struct Sample {
    std::string name;
    std::vector<Kernel> kernels;  ///< the kernels for the CPU and for GPUs, in the order of the kernel table
    DefaultKernels defaults;
    FindCudaDevices find_devices;
};

/// An earlier state of the grid. From it, one kernel has computed the present grid in `frames` frames of
/// `steps` steps.
struct Origin {
    Scene scene;
    int steps = 0;
    int frames = 0;
};

/// A grid that is heated frame by frame. Between frames, its kernel, its sources and the number of steps a
/// frame may change. Errors: MachineError. But if a change fails and the grid and kernel stay as they were,
/// the reason is returned as a line of text, not thrown.
class Simulation {
  public:
    /// Heats `scene` with a kernel of the sample. A GPU kernel runs on GPU number `gpu`. `sample`, `kernel`
    /// and `scene` must outlive the simulation. keep_origins: whether origin() will be called.
    Simulation(const Sample& sample, const Kernel& kernel, int gpu, const Scene& scene, float speed,
               int steps, bool keep_origins);

    /// Does a frame's steps and, if there is a canvas, draws the grid to the canvas. Returns the time of both
    /// in ms.
    double frame(std::optional<Canvas> canvas);

    /// Draws the present grid without doing a step.
    void draw(Canvas canvas) { solver_->frame(0, canvas); }

    [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
    [[nodiscard]] int gpu() const { return options_.device; }  ///< CUDA's number of the GPU
    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] std::vector<float> temperatures() const { return solver_->temperatures(); }
    [[nodiscard]] const std::vector<float>& sources() const { return sources_; }

    /// Returns whether one kernel did all frames from the scene's start and the user changed nothing.
    [[nodiscard]] bool untouched() const { return untouched_; }

    /// Returns the origin of the present grid, at most ten frames back, so that another solver can repeat
    /// these frames. Returns nullopt if the origin is the scene's start. May be called only if keep_origins
    /// was true.
    [[nodiscard]] std::optional<Origin> origin() const;

    /// Switches to the next kernel of the device (by = 1) or the previous kernel (by = -1). The grid stays as
    /// it is. Returns why the switch failed, or an empty string.
    std::string switch_kernel(int by);

    /// Switches to this kernel of the sample. The grid stays as it is. Returns why the switch failed, or an
    /// empty string.
    std::string use(const Kernel& kernel);

    /// Switches to the default kernel of the other device, the CPU or the GPU. Returns why the switch failed,
    /// or an empty string.
    std::string switch_device();

    /// Goes back to the scene's start, but keeps the present kernel and the number of steps a frame.
    void reset();

    /// Raises or lowers the steps a frame to the next number in a fixed series of round numbers.
    void more_steps();
    void fewer_steps();

    /// Paints sources (see brush.hpp).
    void paint(const Drag& drag);

  private:
    [[nodiscard]] Scene scene_of(std::vector<float> temperatures) const;
    void save();
    void set_steps(int steps);
    void mark_changed();

    const Sample& sample_;
    const Kernel* kernel_;
    const Scene& scene_;
    SolverOptions options_;
    bool gpu_known_;
    int steps_;
    bool keep_origins_;
    bool untouched_ = true;
    bool changed_ = false;    ///< whether something has changed since the origin
    bool from_scene_ = true;  ///< whether the origin is the start of the scene, not the saved temperatures
    int frames_ = 0;          ///< the frames since the origin
    std::vector<float> sources_;
    std::vector<float> saved_;  ///< the temperatures of the origin, unless a GPU's solver keeps them
    std::unique_ptr<Solver> solver_;
};

}  // namespace cudabook::heat
