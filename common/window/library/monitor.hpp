// Queries the monitors.
#pragma once

#include "common/window/geometry.hpp"
#include "glfw.hpp"

namespace cudabook {

/// The grid's size or, if the primary monitor is too small for it and the window frame, the largest size with
/// the same aspect ratio that fits.
Size size_on_monitor(Size grid, Size frame);

/// The monitor that overlaps `place` most; null if there is none. Rows of `place` count from the top.
GLFWmonitor* monitor_at(const Rectangle& place);

}  // namespace cudabook
