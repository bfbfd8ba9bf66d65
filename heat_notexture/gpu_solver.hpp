// The interface of a solver on a GPU, in addition to Solver: plain C++.
#pragma once

#include <vector>

#include "heat_notexture/border.hpp"
#include "heat_notexture/parts/workers/device_link.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// A grid that a GPU heats. Errors of every call: MachineError.
class GpuSolver : public Solver {
  public:
    /// The two halves of frame(), for pictures that are copied to host memory in succession: the next frame's
    /// steps can be done while this frame's picture is copied. begin_frame() need not wait for anything.
    /// end_frame() waits for the picture of the oldest frame that was begun and not ended. At most two frames
    /// may be begun and not ended; they need different canvases, which live as long as the solver.
    virtual void begin_frame(int steps, Canvas canvas) = 0;
    virtual void end_frame() = 0;

    /// Copies the temperatures within the GPU's memory; the copy replaces the previous copy.
    virtual void save() = 0;

    /// Returns the temperatures at the last save(), row-major. save() must have been called.
    [[nodiscard]] virtual std::vector<float> saved() const = 0;

    /// For a part of a grid whose halos suffice for `steps` steps: from now on, advance() exchanges the halos
    /// over the link, after every `steps` steps at most. Returns false if the link does not connect GPUs; the
    /// caller then exchanges the halos. `link` must outlive the solver.
    virtual bool exchange_by(DeviceLink& link, const Borders& borders, int steps) = 0;
};

}  // namespace cudabook::heat
