// What the frames of a show took, by where their pictures went.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "common/heat/scene.hpp"
#include "common/program/figures.hpp"
#include "common/program/measurement.hpp"
#include "common/window/canvas.hpp"

namespace cudabook::heat {

/// Billions of cell updates a second.
inline double gcells_per_s(const Scene& scene, int steps, double ms) {
    return static_cast<double>(scene.cells()) * steps / ms / 1e6;
}

/// Keeps the times of the last frames, some hundred thousand at least.
class FrameTimes {
  public:
    /// A frame took `ms`: its steps and, where it has a canvas, its colours there.
    void add(double ms, const std::optional<Canvas>& canvas) {
        times_.push_back({ms, canvas ? std::optional(canvas->memory) : std::nullopt});
    }

    void clear() {
        times_.clear();
        interval_ = 0;
    }

    /// The frames from now on are those of interval().
    void begin_interval() {
        constexpr std::size_t most = std::size_t{1} << 20U;
        if (times_.size() > most)
            times_.erase(times_.begin(), times_.end() - static_cast<std::ptrdiff_t>(most / 2));
        interval_ = times_.size();
    }

    /// The frames since begin_interval(), with or without pictures.
    [[nodiscard]] Measurement interval() const {
        std::vector<double> ms;
        for (std::size_t i = interval_; i < times_.size(); ++i) ms.push_back(times_[i].ms);
        return summarise(std::move(ms));
    }

    /// Adds the medians: `ms` of frames without a picture, which are their steps alone; `ms_per_frame` of
    /// those whose picture came to the host's memory; `ms_per_frame_on_device` of those whose picture stayed
    /// on the device. And `gcells_per_s`: the cells stepped in the first of these times that there is.
    void add_figures(Figures& figures, const Scene& scene, int steps) const {
        using Pictures = std::optional<DeviceKind>;
        const std::pair<const char*, Pictures> names[] = {{"ms", std::nullopt},
                                                          {"ms_per_frame", DeviceKind::cpu},
                                                          {"ms_per_frame_on_device", DeviceKind::cuda}};
        std::optional<double> first;
        for (const auto& [name, pictures] : names) {
            std::vector<double> ms;
            for (const Time& time : times_)
                if (time.pictures == pictures) ms.push_back(time.ms);
            if (ms.empty()) continue;
            const double median = summarise(std::move(ms)).median;
            figures[name] = median;
            if (!first) first = median;
        }
        if (first && steps > 0) figures["gcells_per_s"] = gcells_per_s(scene, steps, *first);
    }

  private:
    struct Time {
        double ms;
        std::optional<DeviceKind> pictures;  ///< whose memory the picture went to
    };

    std::vector<Time> times_;
    std::size_t interval_ = 0;  ///< how many there were when it began
};

}  // namespace cudabook::heat
