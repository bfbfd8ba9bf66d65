// GLFW, and who owns what of it.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <memory>
#include <string>

namespace cudabook {

/// What the last GLFW call that failed says about it.
std::string glfw_error();

/// GLFW between its start and its end. Throws MachineError where there is no display.
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
