// The texts about a run in the window's title and on its panel.
#pragma once

#include <optional>
#include <string>

#include "common/window/panel.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

/// The speed of the last frames.
struct Speed {
    double ms_per_frame = 0;
    double frames_per_s = 0;
    double gcells_per_s = 0;
    Ceiling ceiling;  ///< the kernel's ceiling
};

/// The state of a run at one moment.
struct RunStatus {
    std::string program;
    const Kernel& kernel;
    std::string emulated_gpu;  ///< the product name of the emulated GPU; empty if the device is not emulated
    int steps_per_frame = 0;
    bool paused = false;
    std::optional<Speed> speed;  ///< nullopt if not measured yet
    std::string path_to_window;  ///< how the pictures reach the window: copy or interop
    std::string message;         ///< what the last key did, or why it did nothing
};

/// Returns the title in UTF-8, for example "heat fused (texture1d, interop) — 0.286 ms a frame, 60 frames/s".
std::string title_of(const RunStatus& status);

/// Returns the panel: the kernel, its memory path, its speed and its share of the ceiling.
Panel panel_of(const RunStatus& status);

}  // namespace cudabook::heat
