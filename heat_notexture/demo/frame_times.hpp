// What the frames of a run took, by where their pictures went.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/program/device_kind.hpp"
#include "common/program/figures.hpp"
#include "common/program/measurement.hpp"
#include "common/window/canvas.hpp"
#include "heat_notexture/scene.hpp"

namespace cudabook::heat {

/// Billions of cells that are stepped a second.
double gcells_per_s(const Scene& scene, int steps, double ms);

/// Keeps the times of the last frames, some hundred thousand at least.
class FrameTimes {
  public:
    /// A frame took `ms`: its steps and, where it has a canvas, its colours there.
    void add(double ms, const std::optional<Canvas>& canvas);

    void clear();

    /// The frames from now on are those of interval().
    void begin_interval();

    /// The frames since begin_interval(), with or without pictures.
    [[nodiscard]] Measurement interval() const;

    /// Adds the medians: `ms` of frames without a picture, which are their steps alone; `ms_per_frame` of
    /// those whose picture came to the host's memory; `ms_per_frame_on_device` of those whose picture stayed
    /// on the device. And `gcells_per_s`: the cells stepped in the first of these times that there is.
    void add_figures(Figures& figures, const Scene& scene, int steps) const;

  private:
    struct Time {
        double ms;
        std::optional<DeviceKind> picture;  ///< whose memory the picture went to
    };

    std::vector<Time> times_;
    std::size_t interval_ = 0;  ///< how many there were when it began
};

}  // namespace cudabook::heat
