// The times of a run's frames, grouped by the memory to which the pictures of the frames were drawn.
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

/// Returns the speed in 10^9 cells per second if `steps` steps of the scene's grid take `ms` ms.
double gcells_per_s(const Scene& scene, int steps, double ms);

/// The times of the last frames. At least the last 500,000 times are kept.
class FrameTimes {
  public:
    /// Adds the time of a frame in ms: of its steps and, if there is a canvas, of drawing the frame to the
    /// canvas.
    void add(double ms, const std::optional<Canvas>& canvas);

    void clear();

    /// Begins the interval that interval() reports. The next frame is the first in the interval.
    void begin_interval();

    /// Returns the median, minimum and maximum of the times in ms of the frames since begin_interval(), with
    /// and without pictures.
    [[nodiscard]] Measurement interval() const;

    /// Adds the median times in ms of three kinds of frames: `ms` for frames without a picture (their steps
    /// alone), `ms_per_frame` for frames whose picture came to host memory, and `ms_per_frame_on_device` for
    /// frames whose picture stayed on the device. A kind without frames is left out. Also adds
    /// `gcells_per_s`, computed from the first of these medians that exists.
    void add_figures(Figures& figures, const Scene& scene, int steps) const;

  private:
    struct Time {
        double ms;
        std::optional<DeviceKind> picture;  ///< the memory of the picture; nullopt if there is no picture
    };

    std::vector<Time> times_;
    std::size_t interval_ = 0;  ///< the index in times_ of the first time of the interval
};

}  // namespace cudabook::heat
