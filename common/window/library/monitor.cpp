#include "monitor.hpp"

#include <algorithm>
#include <cstdint>

namespace cudabook {

Size size_on_monitor(Size grid, Size frame) {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (!monitor) return grid;
    Size area;
    glfwGetMonitorWorkarea(monitor, nullptr, nullptr, &area.width, &area.height);
    area = {area.width - frame.width, area.height - frame.height};
    return grid.width <= area.width && grid.height <= area.height ? grid : fit(grid, area);
}

GLFWmonitor* monitor_at(const Rectangle& place) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = nullptr;
    std::int64_t most = -1;
    for (int i = 0; i < count; ++i) {
        Rectangle area;
        glfwGetMonitorPos(monitors[i], &area.left, &area.bottom);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        const auto overlap = [](int a, int length_a, int b, int length_b) {
            return std::int64_t{std::max(0, std::min(a + length_a, b + length_b) - std::max(a, b))};
        };
        const std::int64_t common = overlap(area.left, mode->width, place.left, place.size.width) *
                                    overlap(area.bottom, mode->height, place.bottom, place.size.height);
        if (common > most) best = monitors[i];
        most = std::max(most, common);
    }
    return best;
}

}  // namespace cudabook
