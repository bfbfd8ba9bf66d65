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

/// Returns the billions of cells stepped a second if `steps` steps take `ms` ms.
double gcells_per_s(const Scene& scene, int steps, double ms);

/// The times of the last frames, at least some hundred thousand.
class FrameTimes {
  public:
    /// Adds the time of a frame in ms: of its steps and, if it has a canvas, of drawing it there.
    void add(double ms, const std::optional<Canvas>& canvas);

    void clear();

    /// Begins the interval of interval() with the next frame.
    void begin_interval();

    /// The frames since begin_interval(), with or without pictures.
    [[nodiscard]] Measurement interval() const;

    /// Adds medians: `ms` of frames without a picture, which is the time of their steps alone; `ms_per_frame`
    /// of frames whose picture came to host memory; `ms_per_frame_on_device` of frames whose picture stayed
    /// on the device. Also adds `gcells_per_s`, computed from the first of these medians that exists.
    void add_figures(Figures& figures, const Scene& scene, int steps) const;

  private:
    struct Time {
        double ms;
        std::optional<DeviceKind> picture;  ///< the device whose memory the picture went to
    };

    std::vector<Time> times_;
    std::size_t interval_ = 0;  ///< the number of times before the interval
};

}  // namespace cudabook::heat
