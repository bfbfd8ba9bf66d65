// Implements the window of common/window/window.hpp with GLFW.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/program/errors.hpp"
#include "common/window/window.hpp"
#include "glfw.hpp"
#include "monitor.hpp"
#include "panel_view.hpp"
#include "presenter.hpp"
#include "texture_picture.hpp"

namespace cudabook {

namespace {

class GlfwWindow final : public Window {
  public:
    explicit GlfwWindow(Size grid) : grid_{grid}, window_{make_window(grid)}, picture_{grid} {
        glfwSetWindowUserPointer(window_.get(), this);
        glfwSetKeyCallback(window_.get(), on_key);
        glfwSetCharCallback(window_.get(), on_character);
        glfwSetCursorPosCallback(window_.get(), on_cursor);
        glfwSetMouseButtonCallback(window_.get(), on_button);
        glfwSetScrollCallback(window_.get(), on_scroll);
        glfwSetFramebufferSizeCallback(window_.get(), [](GLFWwindow* w, int, int) { self(w).stale_ = true; });
        glfwSetWindowRefreshCallback(window_.get(), [](GLFWwindow* w) { self(w).stale_ = true; });
        int left = 0, top = 0, right = 0, bottom = 0;
        glfwGetWindowFrameSize(window_.get(), &left, &top, &right, &bottom);
        const Size size = size_on_monitor(grid, {left + right, top + bottom});
        glfwSetWindowSize(window_.get(), size.width, size.height);
    }

    void show() override { glfwShowWindow(window_.get()); }

    void set_title(const std::string& title) override {
        if (title == title_) return;
        glfwSetWindowTitle(window_.get(), title.c_str());
        title_ = title;
    }

    void set_vsync(bool on) override { presenter_.set_vsync(on); }

    void set_fullscreen(bool on) override {
        if (on == fullscreen_) return;
        if (on) {
            glfwGetWindowPos(window_.get(), &place_.left, &place_.bottom);
            glfwGetWindowSize(window_.get(), &place_.size.width, &place_.size.height);
            GLFWmonitor* monitor = monitor_at(place_);
            if (!monitor) return;
            const GLFWvidmode* mode = glfwGetVideoMode(monitor);
            glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
        } else {
            glfwSetWindowMonitor(window_.get(), nullptr, place_.left, place_.bottom, place_.size.width,
                                 place_.size.height, GLFW_DONT_CARE);
        }
        fullscreen_ = on;
        stale_ = true;
    }

    [[nodiscard]] unsigned texture() const override { return picture_.texture(); }

    void upload(const unsigned char* rgba) override { picture_.upload(rgba); }

    void draw(const Panel& panel, bool with_panel, bool with_keys) override {
        Size framebuffer;
        glfwGetFramebufferSize(window_.get(), &framebuffer.width, &framebuffer.height);
        picture_.draw(framebuffer);
        panel_.draw(panel, with_panel, with_keys, framebuffer, grid_);
        presenter_.swap();
        stale_ = false;
    }

    [[nodiscard]] bool stale() const override { return stale_; }

    std::vector<WindowEvent> poll() override {
        glfwPollEvents();
        return std::exchange(events_, {});
    }

    void wait(std::chrono::duration<double> time) override { glfwWaitEventsTimeout(time.count()); }

    [[nodiscard]] bool closing() const override { return glfwWindowShouldClose(window_.get()); }

    [[nodiscard]] bool ready() const override {
        return presenter_.ready() && !glfwGetWindowAttrib(window_.get(), GLFW_ICONIFIED);
    }

  private:
    /// A button that is held down.
    struct Held {
        bool shift;
        Cell start;
        Cell last;
    };

    static GlfwWindowPointer make_window(Size grid) {
        const Size size = size_on_monitor(grid, {0, 0});
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // stay full screen while another monitor has focus
        GlfwWindowPointer window{glfwCreateWindow(size.width, size.height, "", nullptr, nullptr)};
        if (!window) throw MachineError("the display has no OpenGL 3.3: " + glfw_error());
        glfwMakeContextCurrent(window.get());
        load_opengl();
        return window;
    }

    /// The cell under the mouse, or the nearest one if the mouse is outside the picture.
    [[nodiscard]] Cell cell_under_mouse() const {
        Size window;
        glfwGetWindowSize(window_.get(), &window.width, &window.height);
        const Rectangle image = place(grid_, window);
        // The centre of the pixel under the mouse; the mouse's rows count from the top.
        const double x = mouse_x_ + 0.5 - image.left;
        const double y = window.height - (mouse_y_ + 0.5) - image.bottom;
        return {std::clamp(static_cast<int>(x * grid_.width / image.size.width), 0, grid_.width - 1),
                std::clamp(static_cast<int>(y * grid_.height / image.size.height), 0, grid_.height - 1)};
    }

    static GlfwWindow& self(GLFWwindow* window) {
        return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
    }

    /// Letters follow the keyboard's layout. If the layout's letters are not A to Z (Cyrillic, for example),
    /// the keys count as on a US keyboard.
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
        GlfwWindow& w = self(window);
        w.shift_ = (modifiers & GLFW_MOD_SHIFT) != 0;
        if (action != GLFW_PRESS) return;
        const char* name = glfwGetKeyName(key, scancode);
        const bool other_letters = !name || static_cast<unsigned char>(name[0]) > 127;
        char character = 0;
        if (key == GLFW_KEY_ESCAPE) character = Key::escape;
        if (key == GLFW_KEY_SPACE) character = ' ';
        if (other_letters && key >= GLFW_KEY_A && key <= GLFW_KEY_Z) character = static_cast<char>(key);
        if (name && name[0] >= 'a' && name[0] <= 'z') character = static_cast<char>(name[0] - 'a' + 'A');
        if (character != 0) w.events_.emplace_back(Key{character, w.shift_});
    }

    /// Handles the characters whose keys differ between keyboards. They repeat while the key is held down.
    static void on_character(GLFWwindow* window, unsigned character) {
        if (character == '.' || character == '+' || character == '-')
            self(window).events_.emplace_back(Key{static_cast<char>(character), self(window).shift_});
    }

    static void on_cursor(GLFWwindow* window, double x, double y) {
        GlfwWindow& w = self(window);
        w.mouse_x_ = std::floor(x);
        w.mouse_y_ = std::floor(y);
        const Cell cell = w.cell_under_mouse();
        if (!w.held_[0] && !w.held_[1] && !(w.pointer_ == cell)) w.events_.emplace_back(Pointer{cell});
        w.pointer_ = cell;
        for (const Button button : {Button::left, Button::right}) {
            auto& held = w.held_[static_cast<std::size_t>(button)];
            if (!held || held->last == cell) continue;
            w.events_.emplace_back(Drag{button, held->shift, held->last, cell});
            held->last = cell;
        }
    }

    static void on_scroll(GLFWwindow* window, double /*x*/, double y) {
        if (y != 0) self(window).events_.emplace_back(Wheel{y, self(window).cell_under_mouse()});
    }

    static void on_button(GLFWwindow* window, int glfw_button, int action, int modifiers) {
        if (glfw_button != GLFW_MOUSE_BUTTON_LEFT && glfw_button != GLFW_MOUSE_BUTTON_RIGHT) return;
        const Button button = glfw_button == GLFW_MOUSE_BUTTON_LEFT ? Button::left : Button::right;
        GlfwWindow& w = self(window);
        auto& held = w.held_[static_cast<std::size_t>(button)];
        const Cell cell = w.cell_under_mouse();
        if (action == GLFW_PRESS) {
            held = {(modifiers & GLFW_MOD_SHIFT) != 0, cell, cell};
            w.events_.emplace_back(Drag{button, held->shift, cell, cell});
        } else if (held) {
            if (!(held->last == cell)) w.events_.emplace_back(Drag{button, held->shift, held->last, cell});
            if (button == Button::left) w.events_.emplace_back(Click{held->start, cell});
            held.reset();
        }
    }

    Size grid_;
    Glfw glfw_;
    GlfwWindowPointer window_;
    Presenter presenter_{window_.get()};
    Picture picture_;
    PanelView panel_;
    std::string title_;
    bool fullscreen_ = false;
    bool stale_ = true;
    Rectangle place_;  ///< before full screen; the rows count from the top
    double mouse_x_ = 0;
    double mouse_y_ = 0;
    std::optional<Cell> pointer_;  ///< the cell under the mouse when it was last moved
    bool shift_ = false;
    std::array<std::optional<Held>, 2> held_;  ///< indexed by Button
    std::vector<WindowEvent> events_;
};

}  // namespace

}  // namespace cudabook

/// Called by open_window(). The number is the interface's version: it changes with window.hpp and the headers
/// that it includes.
extern "C" [[gnu::visibility("default")]] cudabook::Window* cudabook_open_window_2(cudabook::Size grid) {
    return new cudabook::GlfwWindow{grid};
}
