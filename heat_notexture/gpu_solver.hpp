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
    /// frame() in two halves, for pictures that are copied to host memory in succession: the next frame's
    /// steps can be done while this frame's picture is copied. begin_frame() may return before the frame is
    /// done. end_frame() waits for the picture of the oldest frame that was begun and not ended. At most two
    /// frames may be begun and not ended. These two frames need different canvases, which live as long as the
    /// solver.
    virtual void begin_frame(int steps, Canvas canvas) = 0;
    virtual void end_frame() = 0;

    /// Saves a copy of the temperatures in the GPU's memory, in place of the previous copy.
    virtual void save() = 0;

    /// Returns the temperatures at the last save(), row-major. save() must have been called.
    [[nodiscard]] virtual std::vector<float> saved() const = 0;

    /// For a solver whose grid is a part with halos deep enough for `steps` steps. From now on, advance()
    /// exchanges the halos over `link` after at most `steps` steps. Returns false if the link does not
    /// connect GPUs; the caller must then exchange the halos. `link` must outlive the solver.
    virtual bool exchange_by(DeviceLink& link, const Borders& borders, int steps) = 0;
};

}  // namespace cudabook::heat
