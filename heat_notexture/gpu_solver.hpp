// What a solver on a GPU does beside the work of every solver: plain C++.
#pragma once

#include <vector>

#include "heat_notexture/border.hpp"
#include "heat_notexture/parts/workers/device_link.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// A grid that a GPU heats. Errors of every call: MachineError.
class GpuSolver : public Solver {
  public:
    /// frame() in two halves, for pictures that come to host memory one after the other: the next frame's
    /// steps can be done while this frame's picture travels. begin_frame() need not wait for anything;
    /// end_frame() waits for the picture of the first frame that was begun and not ended. At most two frames
    /// are begun and not ended, with canvases of their own, which live as long as the solver.
    virtual void begin_frame(int steps, Canvas canvas) = 0;
    virtual void end_frame() = 0;

    /// Copies the temperatures within the GPU's memory; the copy replaces an older one.
    virtual void save() = 0;

    /// The temperatures at the last save(), row-major; there must have been one.
    [[nodiscard]] virtual std::vector<float> saved() const = 0;

    /// For a part of a grid, whose halos serve `steps` steps: from now on advance() exchanges them by the
    /// link, after every `steps` steps at most. Returns false if the link does not connect GPUs: the caller
    /// then exchanges them. `link` must outlive the solver.
    virtual bool exchange_by(DeviceLink& link, const Borders& borders, int steps) = 0;
};

}  // namespace cudabook::heat
