// A window that shows a picture (GLFW, OpenGL 3.3) with a panel on it, and what the user does in it.
// CUDABOOK_HAS_WINDOW (0 or 1) says whether their headers are there; CMake sets it, or else this header.
#pragma once

#ifndef CUDABOOK_HAS_WINDOW
#if __has_include(<GLFW/glfw3.h>) && __has_include(<GL/gl.h>) && __has_include(<GL/glext.h>)
#define CUDABOOK_HAS_WINDOW 1
#else
#define CUDABOOK_HAS_WINDOW 0
#endif
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../program/errors.hpp"
#include "input.hpp"
#include "panel.hpp"

#if CUDABOOK_HAS_WINDOW
#include "opengl.hpp"
#include "presenter.hpp"
#endif

namespace cudabook {

struct Size {
    int width;
    int height;
};

struct Rectangle {
    int left;
    int bottom;
    Size size;
};

/// The largest size of the shape of `grid` that fits into `box`, at least 1x1. A broken pixel counts as a
/// whole one, so that the picture fills a window that was made to fit.
inline Size fit(Size grid, Size box) {
    const auto scaled = [](std::int64_t length, int numerator, int denominator, int most) {
        const std::int64_t rounded_up = (length * numerator + denominator - 1) / denominator;
        return static_cast<int>(std::clamp<std::int64_t>(rounded_up, 1, std::max(1, most)));
    };
    return {scaled(box.height, grid.width, grid.height, box.width),
            scaled(box.width, grid.height, grid.width, box.height)};
}

/// Where a picture of `grid` stands in `box`: as large as its shape allows, in the middle.
inline Rectangle place(Size grid, Size box) {
    const Size size = fit(grid, box);
    return {(box.width - size.width) / 2, (box.height - size.height) / 2, size};
}

/// The left mouse button went down at `from` and up at `to`.
struct Click {
    Cell from;
    Cell to;

    friend bool operator==(const Click& one, const Click& other) {
        return one.from == other.from && one.to == other.to;
    }
};

/// What the user did in a window, in the order in which it was done.
using WindowEvent = std::variant<Key, Drag, Click>;

#if CUDABOOK_HAS_WINDOW

namespace window_detail {

/// Throws MachineError if OpenGL failed since it was asked last. `doing`: "OpenGL failed at …".
inline void check_gl(const char* doing) {
    const GLenum error = gl.GetError();
    if (error == GL_OUT_OF_MEMORY) {
        throw MachineError(std::string("OpenGL ran out of memory at ") + doing + "; choose a smaller grid");
    }
    if (error != GL_NO_ERROR) {
        throw MachineError(std::string("OpenGL failed at ") + doing + " (error " + std::to_string(error) +
                           ")");
    }
}

/// What the last GLFW call that failed says about it.
inline std::string glfw_error() {
    const char* text = nullptr;
    glfw.GetError(&text);
    return text ? text : "no reason given";
}

/// GLFW between its start and its end. Throws MachineError where there is no display.
class GlfwLibrary {
  public:
    GlfwLibrary() {
        glfw.load();
        if (!glfw.Init()) {
            throw MachineError("no display: " + glfw_error() +
                               " (DISPLAY must name a running X server, or WAYLAND_DISPLAY a compositor)");
        }
    }
    ~GlfwLibrary() { glfw.Terminate(); }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
};

/// Owns one OpenGL object of any kind.
class GlObject {
  public:
    GlObject(GLuint id, void (*destroy)(GLuint)) : id_{id}, destroy_{destroy} {}
    ~GlObject() { destroy_(id_); }
    GlObject(const GlObject&) = delete;
    GlObject& operator=(const GlObject&) = delete;
    [[nodiscard]] GLuint id() const { return id_; }

  private:
    GLuint id_;
    void (*destroy_)(GLuint);
};

/// The grid's pixels as a texture, and how they are drawn. Lives and works in the current OpenGL context.
class Picture {
  public:
    explicit Picture(Size grid) : grid_{grid} {
        GLint limit = 0;
        gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
        if (std::max(grid.width, grid.height) > limit) {
            throw MachineError("a window can show at most " + std::to_string(limit) + "x" +
                               std::to_string(limit) + " cells here, and the grid has " +
                               std::to_string(grid.width) + "x" + std::to_string(grid.height) +
                               "; choose a smaller grid");
        }
        link_program();
        gl.BindVertexArray(vertices_.id());
        gl.UseProgram(program_.id());
        gl.BindTexture(GL_TEXTURE_2D, texture_.id());
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, grid.width, grid.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      nullptr);
        place_ = gl.GetUniformLocation(program_.id(), "place");
        gl.ClearColor(0, 0, 0, 1);
        check_gl("the texture for the picture");
    }

    [[nodiscard]] GLuint texture() const { return texture_.id(); }

    /// Copies the pixels (RGBA, row 0 at the bottom) to the texture.
    void upload(const unsigned char* rgba) const {
        gl.BindTexture(GL_TEXTURE_2D, texture_.id());
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, grid_.width, grid_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
        check_gl("the copy of a frame to the texture");
    }

    /// Draws the texture into the framebuffer, as large as its shape allows, in the middle, black around it.
    void draw(Size framebuffer) {
        const Rectangle image = place(grid_, framebuffer);
        gl.Clear(GL_COLOR_BUFFER_BIT);
        gl.Viewport(image.left, image.bottom, image.size.width, image.size.height);
        gl.BindTexture(GL_TEXTURE_2D, texture_.id());
        gl.Uniform4i(place_, image.left, image.bottom, image.size.width, image.size.height);
        gl.DrawArrays(GL_TRIANGLES, 0, 3);
        check_gl("the drawing of a frame");
    }

  private:
    // One triangle that covers the viewport: its corners are at -1 and at 3, the viewport goes from -1 to 1.
    static constexpr const char* vertex_source = R"(#version 330 core
        void main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 4 * (gl_VertexID >> 1) - 1, 0, 1); })";

    // Each pixel shows the cell in which its middle lies: in integers, so that none is off by rounding.
    static constexpr const char* fragment_source = R"(#version 330 core
        uniform sampler2D picture;
        uniform ivec4 place;  // left, bottom, width, height
        out vec4 colour;
        void main() {
            ivec2 pixel = ivec2(gl_FragCoord.xy) - place.xy;
            ivec2 cell = (2 * pixel + 1) * textureSize(picture, 0) / (2 * place.zw);
            colour = vec4(texelFetch(picture, cell, 0).rgb, 1);
        })";

    void link_program() {
        attach_shader(GL_VERTEX_SHADER, vertex_source);
        attach_shader(GL_FRAGMENT_SHADER, fragment_source);
        gl.LinkProgram(program_.id());
        GLint done = GL_FALSE;
        gl.GetProgramiv(program_.id(), GL_LINK_STATUS, &done);
        if (!done) {
            throw MachineError("OpenGL cannot link the program that draws the picture: " +
                               log_of(program_.id(), gl.GetProgramInfoLog));
        }
    }

    void attach_shader(GLenum kind, const char* source) {
        const GlObject shader{gl.CreateShader(kind), [](GLuint id) { gl.DeleteShader(id); }};
        gl.ShaderSource(shader.id(), 1, &source, nullptr);
        gl.CompileShader(shader.id());
        GLint done = GL_FALSE;
        gl.GetShaderiv(shader.id(), GL_COMPILE_STATUS, &done);
        if (!done) {
            throw MachineError("OpenGL cannot compile a shader that draws the picture: " +
                               log_of(shader.id(), gl.GetShaderInfoLog));
        }
        gl.AttachShader(program_.id(), shader.id());  // keeps the shader alive for as long as the program
    }

    /// The compiler's or linker's words, in one line.
    static std::string log_of(GLuint id, PFNGLGETSHADERINFOLOGPROC get_log) {
        std::string log(4096, '\0');
        GLsizei length = 0;
        get_log(id, static_cast<GLsizei>(log.size()), &length, log.data());
        log.resize(static_cast<std::size_t>(length));
        std::replace(log.begin(), log.end(), '\n', ' ');
        return log;
    }

    static GLuint new_texture() {
        GLuint id = 0;
        gl.GenTextures(1, &id);
        return id;
    }

    static GLuint new_vertex_array() {
        GLuint id = 0;
        gl.GenVertexArrays(1, &id);
        return id;
    }

    Size grid_;
    GlObject texture_{new_texture(), [](GLuint id) { gl.DeleteTextures(1, &id); }};
    GlObject vertices_{new_vertex_array(), [](GLuint id) { gl.DeleteVertexArrays(1, &id); }};
    GlObject program_{gl.CreateProgram(), [](GLuint id) { gl.DeleteProgram(id); }};
    GLint place_ = 0;
};

}  // namespace window_detail

/// A window with its OpenGL context, current in this thread, and with what the user does to it. All of it
/// belongs to the main thread.
class Window {
  public:
    /// Makes the window for a grid, not yet on the screen: as large as the grid, or as fits on the monitor.
    /// Throws MachineError where there is no display, no OpenGL 3.3, or no texture that large.
    explicit Window(Size grid) : grid_{grid}, window_{make_window(grid)}, picture_{grid} {
        glfw.SetWindowUserPointer(window_.get(), this);
        glfw.SetKeyCallback(window_.get(), on_key);
        glfw.SetCharCallback(window_.get(), on_character);
        glfw.SetCursorPosCallback(window_.get(), on_cursor);
        glfw.SetMouseButtonCallback(window_.get(), on_button);
        glfw.SetFramebufferSizeCallback(window_.get(),
                                        [](GLFWwindow* w, int, int) { self(w).stale_ = true; });
        glfw.SetWindowRefreshCallback(window_.get(), [](GLFWwindow* w) { self(w).stale_ = true; });
        int left = 0, top = 0, right = 0, bottom = 0;
        glfw.GetWindowFrameSize(window_.get(), &left, &top, &right, &bottom);
        const Size size = size_on_monitor(grid, {left + right, top + bottom});
        glfw.SetWindowSize(window_.get(), size.width, size.height);
    }

    ~Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Puts the window on the screen.
    void show() { glfw.ShowWindow(window_.get()); }

    void set_title(const std::string& title) {
        if (title == title_) return;
        glfw.SetWindowTitle(window_.get(), title.c_str());
        title_ = title;
    }

    /// Whether pictures come at the monitor's pace; they do from the start.
    void set_vsync(bool on) { presenter_.set_vsync(on); }

    /// Takes all of the monitor that it is on, or gives it back and returns to its old place.
    void set_fullscreen(bool on) {
        if (on == fullscreen_) return;
        if (on) {
            glfw.GetWindowPos(window_.get(), &place_.left, &place_.bottom);
            glfw.GetWindowSize(window_.get(), &place_.size.width, &place_.size.height);
            GLFWmonitor* monitor = monitor_at(place_);
            if (!monitor) return;
            const GLFWvidmode* mode = glfw.GetVideoMode(monitor);
            glfw.SetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
        } else {
            glfw.SetWindowMonitor(window_.get(), nullptr, place_.left, place_.bottom, place_.size.width,
                                  place_.size.height, GLFW_DONT_CARE);
        }
        fullscreen_ = on;
        stale_ = true;
    }

    /// The picture's texture in OpenGL.
    [[nodiscard]] unsigned texture() const { return picture_.texture(); }

    /// Copies the pixels (RGBA, row 0 at the bottom) to the texture.
    void upload(const unsigned char* rgba) { picture_.upload(rgba); }

    /// Shows the texture and, where they are wanted, the panel and its keys.
    void draw(const Panel& panel, bool with_panel, bool with_keys) {
        const Size size = framebuffer_size();
        picture_.draw(size);
        panel_.draw(panel, with_panel, with_keys, size.width, size.height);
        presenter_.swap();
        stale_ = false;
    }

    /// Whether a part of what was drawn may be lost, or the window has another size since.
    [[nodiscard]] bool stale() const { return stale_; }

    /// Takes in what the user did since the last call.
    std::vector<WindowEvent> poll() {
        glfw.PollEvents();
        return std::exchange(events_, {});
    }

    /// Waits until something happens to the window, at most for so long.
    void wait(std::chrono::duration<double> time) { glfw.WaitEventsTimeout(time.count()); }

    /// Whether the user pressed the close button.
    [[nodiscard]] bool closing() const { return glfw.WindowShouldClose(window_.get()); }

    /// Whether a picture drawn now would be seen: not while the window is minimised, and on Wayland not
    /// before the compositor asks for one. Then draw() waits for nobody but the monitor. It changes in poll()
    /// and wait().
    [[nodiscard]] bool ready() const {
        return presenter_.ready() && !glfw.GetWindowAttrib(window_.get(), GLFW_ICONIFIED);
    }

  private:
    struct Destroy {
        void operator()(GLFWwindow* window) const { glfw.DestroyWindow(window); }
    };
    using WindowPointer = std::unique_ptr<GLFWwindow, Destroy>;

    /// A button that is held down.
    struct Held {
        bool shift;
        Cell start;
        Cell last;
    };

    static WindowPointer make_window(Size grid) {
        const Size size = size_on_monitor(grid, {0, 0});
        glfw.DefaultWindowHints();
        glfw.WindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfw.WindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfw.WindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfw.WindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfw.WindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // full screen beside another monitor
        WindowPointer window{glfw.CreateWindow(size.width, size.height, "", nullptr, nullptr)};
        if (!window) throw MachineError("the display has no OpenGL 3.3: " + window_detail::glfw_error());
        glfw.MakeContextCurrent(window.get());
        gl.load();
        return window;
    }

    /// The grid's size, or the largest of its shape that fits on the monitor together with that frame.
    static Size size_on_monitor(Size grid, Size frame) {
        GLFWmonitor* monitor = glfw.GetPrimaryMonitor();
        if (!monitor) return grid;
        Size room{};
        glfw.GetMonitorWorkarea(monitor, nullptr, nullptr, &room.width, &room.height);
        room = {room.width - frame.width, room.height - frame.height};
        return grid.width <= room.width && grid.height <= room.height ? grid : fit(grid, room);
    }

    [[nodiscard]] Size framebuffer_size() const {
        Size size{};
        glfw.GetFramebufferSize(window_.get(), &size.width, &size.height);
        return size;
    }

    /// The cell under the mouse, or the nearest one where the mouse is beside the picture.
    [[nodiscard]] Cell cell_under_mouse() const {
        Size window{};
        glfw.GetWindowSize(window_.get(), &window.width, &window.height);
        const Rectangle image = place(grid_, window);
        // The middle of the pixel under the mouse; the mouse's rows count from the top.
        const double x = mouse_x_ + 0.5 - image.left;
        const double y = window.height - (mouse_y_ + 0.5) - image.bottom;
        return {std::clamp(static_cast<int>(x * grid_.width / image.size.width), 0, grid_.width - 1),
                std::clamp(static_cast<int>(y * grid_.height / image.size.height), 0, grid_.height - 1)};
    }

    static Window& self(GLFWwindow* window) {
        return *static_cast<Window*>(glfw.GetWindowUserPointer(window));
    }

    /// The monitor with the most of that place, which counts from the top; null where there is no monitor.
    static GLFWmonitor* monitor_at(const Rectangle& place) {
        int count = 0;
        GLFWmonitor** monitors = glfw.GetMonitors(&count);
        GLFWmonitor* best = nullptr;
        std::int64_t most = -1;
        for (int i = 0; i < count; ++i) {
            Rectangle area{};
            glfw.GetMonitorPos(monitors[i], &area.left, &area.bottom);
            const GLFWvidmode* mode = glfw.GetVideoMode(monitors[i]);
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

    /// Letters as the keyboard's layout names them; where it names others than A to Z, as on a US keyboard.
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
        Window& w = self(window);
        w.shift_ = (modifiers & GLFW_MOD_SHIFT) != 0;
        if (action != GLFW_PRESS) return;
        const char* name = glfw.GetKeyName(key, scancode);
        const bool other_letters = !name || static_cast<unsigned char>(name[0]) > 127;
        char character = 0;
        if (key == GLFW_KEY_ESCAPE) character = Key::escape;
        if (key == GLFW_KEY_SPACE) character = ' ';
        if (other_letters && key >= GLFW_KEY_A && key <= GLFW_KEY_Z) character = static_cast<char>(key);
        if (name && name[0] >= 'a' && name[0] <= 'z') character = static_cast<char>(name[0] - 'a' + 'A');
        if (character != 0) w.events_.emplace_back(Key{character, w.shift_});
    }

    /// What every keyboard has elsewhere; held down, it repeats.
    static void on_character(GLFWwindow* window, unsigned character) {
        if (character == '.' || character == '+' || character == '-')
            self(window).events_.emplace_back(Key{static_cast<char>(character), self(window).shift_});
    }

    static void on_cursor(GLFWwindow* window, double x, double y) {
        Window& w = self(window);
        w.mouse_x_ = std::floor(x);
        w.mouse_y_ = std::floor(y);
        const Cell cell = w.cell_under_mouse();
        for (const Button button : {Button::left, Button::right}) {
            auto& held = w.held_[static_cast<std::size_t>(button)];
            if (!held || held->last == cell) continue;
            w.events_.emplace_back(Drag{button, held->shift, held->last, cell});
            held->last = cell;
        }
    }

    static void on_button(GLFWwindow* window, int glfw_button, int action, int modifiers) {
        if (glfw_button != GLFW_MOUSE_BUTTON_LEFT && glfw_button != GLFW_MOUSE_BUTTON_RIGHT) return;
        const Button button = glfw_button == GLFW_MOUSE_BUTTON_LEFT ? Button::left : Button::right;
        Window& w = self(window);
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
    window_detail::GlfwLibrary glfw_;
    WindowPointer window_;
    Presenter presenter_{window_.get()};
    window_detail::Picture picture_;
    PanelView panel_;
    std::string title_;
    bool fullscreen_ = false;
    bool stale_ = true;
    Rectangle place_{};  ///< before it took all of the monitor; the rows count from the top
    double mouse_x_ = 0;
    double mouse_y_ = 0;
    bool shift_ = false;
    std::array<std::optional<Held>, 2> held_;  ///< by the button
    std::vector<WindowEvent> events_;
};

#else

/// Stands where the window would be, in a program that was built without one.
class Window {
  public:
    explicit Window(Size /*grid*/) {
        throw MachineError("no window: this program was built without the headers of GLFW and OpenGL");
    }
    void show() {}
    void set_title(const std::string& /*title*/) {}
    void set_vsync(bool /*on*/) {}
    void set_fullscreen(bool /*on*/) {}
    [[nodiscard]] unsigned texture() const { return 0; }
    void upload(const unsigned char* /*rgba*/) {}
    void draw(const Panel& /*panel*/, bool /*with_panel*/, bool /*with_keys*/) {}
    [[nodiscard]] bool stale() const { return false; }
    std::vector<WindowEvent> poll() { return {}; }
    [[nodiscard]] bool closing() const { return true; }
    void wait(std::chrono::duration<double> /*time*/) {}
    [[nodiscard]] bool ready() const { return true; }
};

#endif

/// Whether a window can be opened here and now; if not, `reason` gets one line that says why. Not to be asked
/// while another is open.
inline bool display_available(std::string* reason = nullptr) {
    try {
        const Window probe{{1, 1}};
        return true;
    } catch (const MachineError& error) {
        if (reason) *reason = error.what();
        return false;
    }
}

}  // namespace cudabook
