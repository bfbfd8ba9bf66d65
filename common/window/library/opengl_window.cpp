// Implements the window of common/window/opengl_window.hpp with GLFW.
#include "common/window/opengl_window.hpp"

#include <cmath>
#include <optional>

#include "common/program/errors.hpp"
#include "glfw.hpp"
#include "presenter.hpp"

namespace cudabook {

namespace {

/// The ASCII control character of a key; 0 for all other keys.
unsigned char character_of(int key) {
    switch (key) {
        case GLFW_KEY_ESCAPE:
            return 27;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            return 13;
        case GLFW_KEY_TAB:
            return 9;
        case GLFW_KEY_BACKSPACE:
            return 8;
        case GLFW_KEY_DELETE:
            return 127;
        default:
            return 0;
    }
}

/// The button's number for OpenGlWindowListener.
int number_of_button(int button) {
    return button == GLFW_MOUSE_BUTTON_LEFT ? 0 : button == GLFW_MOUSE_BUTTON_MIDDLE ? 1 : 2;
}

class GlfwOpenGlWindow final : public OpenGlWindow {
  public:
    explicit GlfwOpenGlWindow(OpenGlWindowListener& listener) : listener_{listener} {}

    void open(const OpenGlWindowSetup& setup) override {
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_VISIBLE, setup.visible);
        glfwWindowHint(GLFW_DOUBLEBUFFER, setup.double_buffered);
        window_.reset(
            glfwCreateWindow(setup.size.width, setup.size.height, setup.title.c_str(), nullptr, nullptr));
        if (!window_) throw MachineError("the display has no OpenGL: " + glfw_error());
        GLFWwindow* window = window_.get();
        if (setup.left >= 0 && setup.top >= 0) glfwSetWindowPos(window, setup.left, setup.top);
        glfwMakeContextCurrent(window);
        presenter_.emplace(window);
        glfwSetWindowUserPointer(window, &listener_);
        glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
            if (character != 0 && character < 256) listener(w).key(static_cast<unsigned char>(character));
        });
        glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int) {
            const unsigned char character = character_of(key);
            if (action != GLFW_RELEASE && character != 0) listener(w).key(character);
        });
        glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
            listener(w).button(number_of_button(button), action == GLFW_PRESS);
        });
        glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
            listener(w).mouse_moved_to(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
        });
        glfwSetFramebufferSizeCallback(
            window, [](GLFWwindow* w, int width, int height) { listener(w).resized(width, height); });
        glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { listener(w).redraw(); });
    }

    [[nodiscard]] Size size() const override {
        Size now;
        glfwGetFramebufferSize(window_.get(), &now.width, &now.height);
        return now;
    }

    void swap() override { presenter_->swap(); }

    [[nodiscard]] bool ready() const override { return presenter_->ready(); }

    void poll(double seconds) override {
        if (seconds > 0)
            glfwWaitEventsTimeout(seconds);
        else
            glfwPollEvents();
    }

    [[nodiscard]] bool closing() const override { return glfwWindowShouldClose(window_.get()); }

  private:
    static OpenGlWindowListener& listener(GLFWwindow* window) {
        return *static_cast<OpenGlWindowListener*>(glfwGetWindowUserPointer(window));
    }

    OpenGlWindowListener& listener_;
    Glfw glfw_;
    GlfwWindowPointer window_;
    std::optional<Presenter> presenter_;
};

}  // namespace

}  // namespace cudabook

/// Called by make_opengl_window(). The number is the interface's version, as in glfw_window.cpp.
extern "C" [[gnu::visibility("default")]] cudabook::OpenGlWindow* cudabook_make_opengl_window_1(
    cudabook::OpenGlWindowListener& listener) {
    return new cudabook::GlfwOpenGlWindow{listener};
}
