// Queries the monitors.
#pragma once

#include "common/window/geometry.hpp"
#include "glfw.hpp"

namespace cudabook {

/// Returns the size of the grid if the grid and the window frame fit on the primary monitor. Otherwise
/// returns the largest size with the same aspect ratio that fits.
Size size_on_monitor(Size grid, Size frame);

/// Returns the monitor that overlaps `place` most, or null if there is no monitor. Rows of `place` count from
/// the top.
GLFWmonitor* monitor_at(const Rectangle& place);

}  // namespace cudabook
