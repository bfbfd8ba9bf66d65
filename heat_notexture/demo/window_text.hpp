// What the window says about a run, in its title and on its panel.
#pragma once

#include <optional>
#include <string>

#include "common/window/panel.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

/// How fast the last frames were.
struct Speed {
    double ms_per_frame = 0;
    double frames_per_s = 0;
    double gcells_per_s = 0;
    Ceiling ceiling;  ///< of the kernel
};

/// A run at one moment.
struct RunStatus {
    std::string program;
    const Kernel& kernel;
    std::string emulated_gpu;  ///< its product name; empty: another device
    int steps_per_frame = 0;
    bool paused = false;
    std::optional<Speed> speed;  ///< none: not known yet
    std::string path_to_window;  ///< how the pictures get there: copy or interop
    std::string message;         ///< what the last key did, or why it did not
};

/// Such as "heat fused (texture1d, interop) — 0.286 ms a frame, 60 frames/s", in UTF-8.
std::string title_of(const RunStatus& status);

/// The kernel, its path, its speed and the share of what limits it.
Panel panel_of(const RunStatus& status);

}  // namespace cudabook::heat
