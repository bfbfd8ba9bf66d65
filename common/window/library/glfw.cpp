#include "glfw.hpp"

#include <cstdlib>

#include "common/program/errors.hpp"

namespace cudabook {

#ifdef GLFW_PLATFORM  // GLFW 3.4 asks libwayland first
namespace {

/// Whether libwayland knows where to look for a compositor. If not, it would print a message on stderr.
bool wayland_can_be_asked() {
    const auto is_path = [](const char* variable) {
        const char* value = std::getenv(variable);
        return value != nullptr && value[0] == '/';
    };
    return is_path("XDG_RUNTIME_DIR") || is_path("WAYLAND_DISPLAY");
}

}  // namespace
#endif

std::string glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

Glfw::Glfw() {
#ifdef GLFW_PLATFORM
    glfwInitHint(GLFW_PLATFORM, wayland_can_be_asked() ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
#endif
    if (!glfwInit()) {
        throw MachineError("no display: " + glfw_error() +
                           " (DISPLAY must name a running X server, or WAYLAND_DISPLAY a compositor)");
    }
}

}  // namespace cudabook
