// The times of a run's frames, by where their pictures went.
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

/// Returns how many billions of cells a second are stepped if `steps` steps of the scene's grid take `ms` ms.
double gcells_per_s(const Scene& scene, int steps, double ms);

/// The times of the last frames. At least the last 500,000 are kept.
class FrameTimes {
  public:
    /// Adds the time in ms of a frame's steps and, if there is a canvas, of drawing the frame to the canvas.
    void add(double ms, const std::optional<Canvas>& canvas);

    void clear();

    /// Begins the interval of interval(). The next frame is the first in the interval.
    void begin_interval();

    /// Returns the times of the frames since begin_interval(), with or without pictures.
    [[nodiscard]] Measurement interval() const;

    /// Adds medians: `ms` of frames without a picture, which is the time of their steps alone; `ms_per_frame`
    /// of frames whose picture came to host memory; `ms_per_frame_on_device` of frames whose picture stayed
    /// on the device. Also adds `gcells_per_s`, computed from the first of these medians that exists.
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
