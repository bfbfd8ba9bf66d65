#include "glfw.hpp"

#include "common/program/errors.hpp"

namespace cudabook {

std::string glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

Glfw::Glfw() {
    if (!glfwInit()) {
        throw MachineError("no display: " + glfw_error() +
                           " (DISPLAY must name a running X server, or WAYLAND_DISPLAY a compositor)");
    }
}

}  // namespace cudabook
