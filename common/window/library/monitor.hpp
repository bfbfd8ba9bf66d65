// The monitors that GLFW knows.
#pragma once

#include "common/window/geometry.hpp"
#include "glfw.hpp"

namespace cudabook {

/// The grid's size, or the largest of its shape that fits on the primary monitor together with that frame.
Size size_on_monitor(Size grid, Size frame);

/// The monitor with the most of that place, whose rows count from the top; null where there is no monitor.
GLFWmonitor* monitor_at(const Rectangle& place);

}  // namespace cudabook
