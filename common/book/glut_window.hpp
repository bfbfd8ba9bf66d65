// What a GLUT program asks for, and its window, over GLFW.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "../program/errors.hpp"
#include "../window/window.hpp"
#include "gl_calls.hpp"

namespace cudabook::book {

/// What a GLUT program asks for, and how it hears of what happens.
struct GlutProgram {
    unsigned mode = 0;
    Size size{300, 300};
    int left = -1;
    int top = -1;
    void (*display)() = nullptr;
    void (*reshape)(int width, int height) = nullptr;
    void (*keyboard)(unsigned char key, int x, int y) = nullptr;
    void (*mouse)(int button, int state, int x, int y) = nullptr;
    void (*motion)(int x, int y) = nullptr;
    void (*passive_motion)(int x, int y) = nullptr;
    void (*idle)() = nullptr;
    bool redisplay = true;

    [[nodiscard]] bool double_buffered() const { return (mode & GLUT_DOUBLE) != 0; }

    void fit(int width, int height) {
        redisplay = true;
        if (reshape)
            reshape(width, height);
        else
            in_libgl<void(int, int, int, int)>("glViewport")(0, 0, width, height);
    }

    void press(unsigned char key) const {
        if (keyboard && key != 0) keyboard(key, mouse_x, mouse_y);
    }

    void press_button(int button, bool down) {
        buttons_held += down ? 1 : -1;
        if (mouse) mouse(button, down ? GLUT_DOWN : GLUT_UP, mouse_x, mouse_y);
    }

    void move(double x, double y) {
        mouse_x = static_cast<int>(std::floor(x));
        mouse_y = static_cast<int>(std::floor(y));
        const auto callback = buttons_held > 0 ? motion : passive_motion;
        if (callback) callback(mouse_x, mouse_y);
    }

    int buttons_held = 0;
    int mouse_x = 0;  ///< when the last event came; the rows count from the top
    int mouse_y = 0;
};

#if CUDABOOK_HAS_WINDOW

/// A window with OpenGL as old programs know it, which tells the program what the user does.
class GlutWindow {
  public:
    /// Where there is no display: MachineError.
    explicit GlutWindow(GlutProgram& program) : program_{program} {}

    /// Opens it, on the screen or not, and makes its context current. Errors: MachineError.
    void open(const char* title, bool visible) {
        glfw.DefaultWindowHints();
        glfw.WindowHint(GLFW_VISIBLE, visible);
        glfw.WindowHint(GLFW_DOUBLEBUFFER, program_.double_buffered() || !visible);
        window_ = glfw.CreateWindow(program_.size.width, program_.size.height, title, nullptr, nullptr);
        if (!window_) throw MachineError("the display has no OpenGL: " + window_detail::glfw_error());
        if (program_.left >= 0 && program_.top >= 0) glfw.SetWindowPos(window_, program_.left, program_.top);
        glfw.MakeContextCurrent(window_);
        presenter_.emplace(window_);
        glfw.SetWindowUserPointer(window_, &program_);
        glfw.SetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
            if (character < 256) program(window).press(static_cast<unsigned char>(character));
        });
        glfw.SetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int) {
            if (action != GLFW_RELEASE) program(window).press(character_of(key));
        });
        glfw.SetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
            program(window).press_button(glut_button(button), action == GLFW_PRESS);
        });
        glfw.SetCursorPosCallback(window_,
                                  [](GLFWwindow* window, double x, double y) { program(window).move(x, y); });
        glfw.SetFramebufferSizeCallback(
            window_, [](GLFWwindow* window, int width, int height) { program(window).fit(width, height); });
        glfw.SetWindowRefreshCallback(window_, [](GLFWwindow* window) { program(window).redisplay = true; });
    }

    [[nodiscard]] Size size() const {
        Size now{};
        glfw.GetFramebufferSize(window_, &now.width, &now.height);
        return now;
    }

    void swap() { presenter_->swap(); }

    /// Whether a picture drawn now would be seen; then swap() waits for nobody but the monitor.
    [[nodiscard]] bool ready() const { return presenter_->ready(); }

    /// Passes on what the user did; waits until there is something, at most for so many seconds.
    void listen(double seconds) {
        if (seconds > 0)
            glfw.WaitEventsTimeout(seconds);
        else
            glfw.PollEvents();
    }

    /// Whether the user pressed the close button.
    [[nodiscard]] bool closing() const { return glfw.WindowShouldClose(window_); }

  private:
    static GlutProgram& program(GLFWwindow* window) {
        return *static_cast<GlutProgram*>(glfw.GetWindowUserPointer(window));
    }

    /// The keys that are characters of ASCII, but of no alphabet.
    static unsigned char character_of(int key) {
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

    static int glut_button(int button) {
        return button == GLFW_MOUSE_BUTTON_LEFT     ? GLUT_LEFT_BUTTON
               : button == GLFW_MOUSE_BUTTON_MIDDLE ? GLUT_MIDDLE_BUTTON
                                                    : GLUT_RIGHT_BUTTON;
    }

    GlutProgram& program_;
    window_detail::GlfwLibrary library_;
    GLFWwindow* window_ = nullptr;
    std::optional<Presenter> presenter_;
};

#else

/// Stands where the window would be, in a program that was built without the headers that it needs.
class GlutWindow {
  public:
    explicit GlutWindow(GlutProgram& /*program*/) { Window{{1, 1}}; }
    void open(const char* /*title*/, bool /*visible*/) {}
    [[nodiscard]] Size size() const { return {}; }
    void swap() {}
    [[nodiscard]] bool ready() const { return true; }
    void listen(double /*seconds*/) {}
    [[nodiscard]] bool closing() const { return true; }
};

#endif

}  // namespace cudabook::book
