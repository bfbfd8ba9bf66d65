#include "heat_notexture/demo/frame_times.hpp"

#include <utility>

namespace cudabook::heat {

double gcells_per_s(const Scene& scene, int steps, double ms) {
    return static_cast<double>(scene.cells()) * steps / ms / 1e6;
}

void FrameTimes::add(double ms, const std::optional<Canvas>& canvas) {
    times_.push_back({ms, canvas ? std::optional(canvas->memory) : std::nullopt});
}

void FrameTimes::clear() {
    times_.clear();
    interval_ = 0;
}

void FrameTimes::begin_interval() {
    constexpr std::size_t most = std::size_t{1} << 20U;
    if (times_.size() > most)
        times_.erase(times_.begin(), times_.end() - static_cast<std::ptrdiff_t>(most / 2));
    interval_ = times_.size();
}

Measurement FrameTimes::interval() const {
    std::vector<double> ms;
    for (std::size_t i = interval_; i < times_.size(); ++i) ms.push_back(times_[i].ms);
    return summarise(std::move(ms));
}

void FrameTimes::add_figures(Figures& figures, const Scene& scene, int steps) const {
    const std::pair<const char*, std::optional<DeviceKind>> names[] = {
        {"ms", std::nullopt},
        {"ms_per_frame", DeviceKind::cpu},
        {"ms_per_frame_on_device", DeviceKind::cuda}};
    std::optional<double> first;
    for (const auto& [name, picture] : names) {
        std::vector<double> ms;
        for (const Time& time : times_)
            if (time.picture == picture) ms.push_back(time.ms);
        if (ms.empty()) continue;
        const double median = summarise(std::move(ms)).median;
        figures[name] = median;
        if (!first) first = median;
    }
    if (first && steps > 0) figures["gcells_per_s"] = gcells_per_s(scene, steps, *first);
}

}  // namespace cudabook::heat
