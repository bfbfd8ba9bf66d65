// RAII owners of GLFW and its windows.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <memory>
#include <string>

namespace cudabook {

/// GLFW's description of its last error.
std::string glfw_error();

/// Initialises and terminates GLFW. Throws MachineError if there is no display.
class Glfw {
  public:
    Glfw();
    ~Glfw() { glfwTerminate(); }
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
};

struct DestroyGlfwWindow {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using GlfwWindowPointer = std::unique_ptr<GLFWwindow, DestroyGlfwWindow>;

}  // namespace cudabook
