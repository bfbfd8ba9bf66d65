#include "heat_notexture/demo/window_text.hpp"

#include <fmt/format.h>

#include "common/program/device.hpp"
#include "heat_notexture/demo/keys.hpp"

namespace cudabook::heat {

namespace {

std::string pace_of(const RunStatus& status) {
    return status.paused ? "paused" : fmt::format("{:.0f} frames/s", status.speed->frames_per_s);
}

}  // namespace

std::string title_of(const RunStatus& status) {
    std::string name = fmt::format("{} {}", status.program, status.kernel.name);
    if (!status.emulated_gpu.empty()) name += " on " + status.emulated_gpu;
    if (!status.speed) return fmt::format("{} ({})", name, status.kernel.memory);
    return fmt::format("{} ({}, {}) \u2014 {:.3g} ms a frame, {}", name, status.kernel.memory,
                       status.path_to_window, status.speed->ms_per_frame, pace_of(status));
}

Panel panel_of(const RunStatus& status) {
    const std::string_view device =
        status.emulated_gpu.empty() ? name_of(status.kernel.device) : status.emulated_gpu;
    Panel panel;
    panel.title = fmt::format("{} {}", status.program, status.kernel.name);
    panel.note = status.message;
    panel.keys = keys();
    panel.lines = {fmt::format("memory: {}", status.kernel.memory),
                   fmt::format("{}, {} steps a frame", device, status.steps_per_frame)};
    if (!status.speed) return panel;
    const Speed& speed = *status.speed;
    panel.lines.push_back(fmt::format("{:.3g} ms a frame, {}", speed.ms_per_frame, pace_of(status)));
    panel.lines.push_back(
        fmt::format("{:.{}f} G cells/s", speed.gcells_per_s, speed.gcells_per_s < 100 ? 2 : 0));
    panel.share = speed.gcells_per_s / speed.ceiling.gcells_per_s;
    panel.share_label = fmt::format("{:.0f} % of {}", 100 * *panel.share, speed.ceiling.name);
    return panel;
}

}  // namespace cudabook::heat
