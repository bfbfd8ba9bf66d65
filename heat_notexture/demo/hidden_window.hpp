// A hidden window that measures how long a frame takes until it is drawn in a window.
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
    /// Returns null on the CPU, on an emulated GPU, and if no window can be opened.
    static std::unique_ptr<HiddenWindow> open(const Device& device, const GpuBackend& gpu, int width,
                                              int height);

    /// Errors: MachineError if no window can be opened.
    HiddenWindow(int width, int height);

    /// Adds the median time in ms of a frame of the solver, from the first step until the frame is drawn in
    /// the window. Measures frames whose picture is copied through host memory (`pixels`). If OpenGL and the
    /// device share memory, also measures frames without this copy.
    void add_figures(Figures& figures, Solver& solver, int steps, std::vector<unsigned char>& pixels,
                     const TimeBudget& budget);

  private:
    std::unique_ptr<Window> window_;
    std::unique_ptr<DeviceFrames> frames_;  ///< null if OpenGL and the device share no memory
};

}  // namespace cudabook::heat
