// A window that nobody sees, to measure what a frame takes until it is drawn in one.
#pragma once

#include <memory>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/figures.hpp"
#include "common/program/measurement.hpp"
#include "common/window/canvas.hpp"
#include "common/window/window.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

class HiddenWindow {
  public:
    /// Null on a CPU and where no window can be opened.
    static std::unique_ptr<HiddenWindow> open(const Device& device, const GpuBackend& gpu, int width,
                                              int height);

    /// Errors: MachineError.
    HiddenWindow(int width, int height);

    /// Adds what a frame of the solver takes until it is drawn, in ms: with its picture through the host, for
    /// which `pixels` is the memory, and without, where OpenGL and the device share memory.
    void add_figures(Figures& figures, Solver& solver, int steps, std::vector<unsigned char>& pixels,
                     const TimeBudget& budget);

  private:
    std::unique_ptr<Window> window_;
    std::unique_ptr<DeviceFrames> frames_;  ///< null: nothing is shared
};

}  // namespace cudabook::heat
