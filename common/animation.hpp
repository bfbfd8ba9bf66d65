// The animation of "CUDA by Example" (CPUAnimBitmap): in a window (GLFW, GLEW, OpenGL 3.3), or in none.
// CUDABOOK_HAS_WINDOW (0 or 1, set by CMake) says whether GLFW and GLEW are there; only this header asks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/errors.hpp"
#include "common/interrupt.hpp"

#if CUDABOOK_HAS_WINDOW
#include <GL/glew.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#endif

namespace cudabook {

/// Where an animation is shown: in a window, or nowhere.
enum class Display { window, headless };

/// Why an animation ended; `user` is the Esc key or the close button, `interrupt` a signal (interrupt.hpp).
enum class AnimationEnd { not_yet, frame_limit, user, interrupt };

namespace animation_detail {

struct Size {
    int width;
    int height;
};

/// A cell of the grid; row 0 is at the bottom.
struct Cell {
    int x;
    int y;
};

/// The left mouse button went down at `from` and up at `to`.
struct Drag {
    Cell from;
    Cell to;
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

#if CUDABOOK_HAS_WINDOW

/// Throws MachineError if OpenGL failed since it was asked last. `doing`: "OpenGL failed at …".
inline void check_gl(const char* doing) {
    const GLenum error = glGetError();
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
    glfwGetError(&text);
    return text ? text : "no reason given";
}

/// GLFW between its start and its end. Throws MachineError where there is no display.
class GlfwLibrary {
  public:
    GlfwLibrary() {
        if (!glfwInit()) {
            throw MachineError("no display: " + glfw_error() + " (DISPLAY must name a running X server)");
        }
    }
    ~GlfwLibrary() { glfwTerminate(); }
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
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
        if (std::max(grid.width, grid.height) > limit) {
            throw MachineError("a window can show at most " + std::to_string(limit) + "x" +
                               std::to_string(limit) + " cells here, and the grid has " +
                               std::to_string(grid.width) + "x" + std::to_string(grid.height) +
                               "; choose a smaller grid");
        }
        link_program();
        glBindVertexArray(vertices_.id());
        glUseProgram(program_.id());
        glBindTexture(GL_TEXTURE_2D, texture_.id());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, grid.width, grid.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     nullptr);
        place_ = glGetUniformLocation(program_.id(), "place");
        glClearColor(0, 0, 0, 1);
        check_gl("the texture for the picture");
    }

    /// Copies the pixels (RGBA, row 0 at the bottom) to the texture.
    void upload(const unsigned char* rgba) const {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, grid_.width, grid_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
        check_gl("the copy of a frame to the texture");
    }

    /// Draws the texture into the framebuffer, as large as its shape allows, in the middle, black around it.
    void draw(Size framebuffer) {
        const Rectangle image = place(grid_, framebuffer);
        glClear(GL_COLOR_BUFFER_BIT);
        glViewport(image.left, image.bottom, image.size.width, image.size.height);
        glUniform4i(place_, image.left, image.bottom, image.size.width, image.size.height);
        glDrawArrays(GL_TRIANGLES, 0, 3);
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
        glLinkProgram(program_.id());
        GLint done = GL_FALSE;
        glGetProgramiv(program_.id(), GL_LINK_STATUS, &done);
        if (!done) {
            throw MachineError("OpenGL cannot link the program that draws the picture: " +
                               log_of(program_.id(), glGetProgramInfoLog));
        }
    }

    void attach_shader(GLenum kind, const char* source) {
        const GlObject shader{glCreateShader(kind), [](GLuint id) { glDeleteShader(id); }};
        glShaderSource(shader.id(), 1, &source, nullptr);
        glCompileShader(shader.id());
        GLint done = GL_FALSE;
        glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &done);
        if (!done) {
            throw MachineError("OpenGL cannot compile a shader that draws the picture: " +
                               log_of(shader.id(), glGetShaderInfoLog));
        }
        glAttachShader(program_.id(), shader.id());  // keeps the shader alive for as long as the program
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
        glGenTextures(1, &id);
        return id;
    }

    static GLuint new_vertex_array() {
        GLuint id = 0;
        glGenVertexArrays(1, &id);
        return id;
    }

    Size grid_;
    GlObject texture_{new_texture(), [](GLuint id) { glDeleteTextures(1, &id); }};
    GlObject vertices_{new_vertex_array(), [](GLuint id) { glDeleteVertexArrays(1, &id); }};
    GlObject program_{glCreateProgram(), [](GLuint id) { glDeleteProgram(id); }};
    GLint place_ = 0;
};

/// The window with its OpenGL context, current in this thread, and with what the user does to it.
class Window {
  public:
    /// Makes the window for a grid, not yet on the screen: as large as the grid, or as fits on the monitor.
    /// Throws MachineError where there is no display, no OpenGL 3.3, or no texture that large.
    explicit Window(Size grid) : grid_{grid}, window_{make_window(grid)}, picture_{grid} {
        glfwSetWindowUserPointer(window_.get(), this);
        glfwSetKeyCallback(window_.get(), on_key);
        glfwSetCursorPosCallback(window_.get(), on_cursor);
        glfwSetMouseButtonCallback(window_.get(), on_button);
        int left = 0, top = 0, right = 0, bottom = 0;
        glfwGetWindowFrameSize(window_.get(), &left, &top, &right, &bottom);
        const Size size = size_on_monitor(grid, {left + right, top + bottom});
        glfwSetWindowSize(window_.get(), size.width, size.height);
    }

    ~Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Puts the window on the screen.
    void show() { glfwShowWindow(window_.get()); }

    void set_title(const std::string& title) {
        if (title == title_) return;
        glfwSetWindowTitle(window_.get(), title.c_str());
        title_ = title;
    }

    /// Shows the pixels (RGBA, row 0 at the bottom), in step with the monitor.
    void present(const unsigned char* rgba) {
        picture_.upload(rgba);
        picture_.draw(framebuffer_size());
        glfwSwapBuffers(window_.get());
    }

    /// Takes in what the user did since the last call; returns the drags that were finished.
    std::vector<Drag> poll() {
        glfwPollEvents();
        return std::exchange(drags_, {});
    }

    /// Whether the user asked for the end.
    [[nodiscard]] bool closing() const { return glfwWindowShouldClose(window_.get()); }

  private:
    struct Destroy {
        void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
    };
    using WindowPointer = std::unique_ptr<GLFWwindow, Destroy>;

    static WindowPointer make_window(Size grid) {
        const Size size = size_on_monitor(grid, {0, 0});
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        WindowPointer window{glfwCreateWindow(size.width, size.height, "", nullptr, nullptr)};
        if (!window) throw MachineError("the display has no OpenGL 3.3: " + glfw_error());
        glfwMakeContextCurrent(window.get());
        glfwSwapInterval(1);
        // Under Wayland, a GLEW made for GLX loads all that is needed and only then misses its display.
        const GLenum loaded = glewInit();
        if (loaded != GLEW_OK && loaded != GLEW_ERROR_NO_GLX_DISPLAY) {
            throw MachineError("GLEW cannot load OpenGL: " +
                               std::string(reinterpret_cast<const char*>(glewGetErrorString(loaded))));
        }
        glGetError();  // what GLEW may have left behind
        return window;
    }

    /// The grid's size, or the largest of its shape that fits on the monitor together with that frame.
    static Size size_on_monitor(Size grid, Size frame) {
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        if (!monitor) return grid;
        Size room{};
        glfwGetMonitorWorkarea(monitor, nullptr, nullptr, &room.width, &room.height);
        room = {room.width - frame.width, room.height - frame.height};
        return grid.width <= room.width && grid.height <= room.height ? grid : fit(grid, room);
    }

    [[nodiscard]] Size framebuffer_size() const {
        Size size{};
        glfwGetFramebufferSize(window_.get(), &size.width, &size.height);
        return size;
    }

    /// The cell under the mouse, or the nearest one where the mouse is beside the picture.
    [[nodiscard]] Cell cell_under_mouse() const {
        Size window{};
        glfwGetWindowSize(window_.get(), &window.width, &window.height);
        const Rectangle image = place(grid_, window);
        // The middle of the pixel under the mouse; the mouse's rows count from the top.
        const double x = mouse_x_ + 0.5 - image.left;
        const double y = window.height - (mouse_y_ + 0.5) - image.bottom;
        return {std::clamp(static_cast<int>(x * grid_.width / image.size.width), 0, grid_.width - 1),
                std::clamp(static_cast<int>(y * grid_.height / image.size.height), 0, grid_.height - 1)};
    }

    static Window& self(GLFWwindow* window) {
        return *static_cast<Window*>(glfwGetWindowUserPointer(window));
    }

    static void on_key(GLFWwindow* window, int key, int, int action, int) {
        if (key == GLFW_KEY_ESCAPE && action == GLFW_PRESS) glfwSetWindowShouldClose(window, GLFW_TRUE);
    }

    static void on_cursor(GLFWwindow* window, double x, double y) {
        self(window).mouse_x_ = std::floor(x);
        self(window).mouse_y_ = std::floor(y);
    }

    static void on_button(GLFWwindow* window, int button, int action, int) {
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        Window& w = self(window);
        const Cell cell = w.cell_under_mouse();
        if (action == GLFW_PRESS) {
            w.drag_start_ = cell;
        } else {
            w.drags_.push_back({w.drag_start_, cell});
        }
    }

    Size grid_;
    GlfwLibrary glfw_;
    WindowPointer window_;
    Picture picture_;
    std::string title_;
    double mouse_x_ = 0;
    double mouse_y_ = 0;
    Cell drag_start_{};
    std::vector<Drag> drags_;
};

#else

/// Stands where the window would be, in a program that was built without one.
class Window {
  public:
    explicit Window(Size) { throw MachineError("no window: this program was built without GLFW and GLEW"); }
    void show() {}
    void set_title(const std::string&) {}
    void present(const unsigned char*) {}
    std::vector<Drag> poll() { return {}; }
    bool closing() const { return true; }
};

#endif

}  // namespace animation_detail

/// Whether a window can be opened here and now; if not, `reason` gets one line that says why. Not to be asked
/// while an animation runs.
inline bool display_available(std::string* reason = nullptr) {
    try {
        const animation_detail::Window probe{{1, 1}};
        return true;
    } catch (const MachineError& error) {
        if (reason) *reason = error.what();
        return false;
    }
}

/// A picture of width x height pixels, and the loop that has it painted anew for each frame and shows it.
class CPUAnimBitmap {
  public:
    /// A black picture; `data` goes to the callbacks. Throws std::invalid_argument unless width and height
    /// are at least 1, MachineError where there is not enough memory.
    CPUAnimBitmap(int width, int height, void* data = nullptr) : grid_{width, height}, data_{data} {
        if (width < 1 || height < 1) throw std::invalid_argument("a picture needs at least 1x1 pixels");
        // The pixels have whole pages for themselves (of up to 64 KiB, on ARM), so that CUDA can lock them.
        // Memory from calloc is black, and costs nothing before it is used.
        constexpr std::size_t page = 65536;
        constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() - 2 * page;
        const std::size_t row = 4 * static_cast<std::size_t>(width);
        const auto rows = static_cast<std::size_t>(height);
        if (rows <= most / row) memory_.reset(std::calloc(row * rows + 2 * page, 1));
        if (!memory_) {
            throw MachineError("not enough memory for a picture of " + std::to_string(width) + "x" +
                               std::to_string(height) + " pixels; choose a smaller grid");
        }
        pixels_ = memory_.get();
        std::size_t space = row * rows + page;
        std::align(page, row * rows, pixels_, space);
    }

    /// The pixels: RGBA, 4 bytes each, row 0 is the bottom of the window. They stay where they are.
    [[nodiscard]] unsigned char* get_ptr() const { return static_cast<unsigned char*>(pixels_); }

    /// The size of the pixels in bytes.
    [[nodiscard]] std::int64_t image_size() const { return std::int64_t{4} * grid_.width * grid_.height; }

    /// Called between two frames when the left mouse button was pressed at (x0, y0) and let go at (x1, y1):
    /// columns and rows of the grid, row 0 at the bottom; beside the picture, the nearest cell.
    void click_drag(void (*callback)(void* data, int x0, int y0, int x1, int y1)) { click_drag_ = callback; }

    /// Where to show the frames: in a window, if nothing is said.
    void set_display(Display display) { display_ = display; }

    /// How many frames to do at most; nullopt: as many as an int can count. May change while it runs.
    void set_frame_limit(std::optional<int> frames) { frame_limit_ = frames; }

    /// The window's title (UTF-8). May change while it runs.
    void set_title(std::string title) { title_ = std::move(title); }

    /// Calls frame(data, ticks) with ticks 1, 2, 3, … and shows the pixels after each call, until the frame
    /// limit is reached, the user ends it, or an InterruptGuard has caught a signal; then calls at_exit(data)
    /// unless that is null, closes the window and returns. Throws MachineError where a window is asked for
    /// and cannot be opened. What a callback throws passes through, and the window closes.
    void anim_and_exit(void (*frame)(void* data, int ticks), void (*at_exit)(void* data)) {
        frames_done_ = 0;
        ended_by_ = AnimationEnd::not_yet;
        std::optional<animation_detail::Window> window;
        if (display_ == Display::window) open(window);
        while ((ended_by_ = reason_to_end(window)) == AnimationEnd::not_yet) {
            frame(data_, frames_done_ + 1);
            ++frames_done_;
            if (window) show_frame(*window);
        }
        if (at_exit) at_exit(data_);
    }

    /// How many frames the last anim_and_exit() did.
    [[nodiscard]] int frames_done() const { return frames_done_; }

    /// Why the last anim_and_exit() ended.
    [[nodiscard]] AnimationEnd ended_by() const { return ended_by_; }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    void open(std::optional<animation_detail::Window>& window) {
        try {
            window.emplace(grid_);
        } catch (const MachineError& error) {
            throw MachineError(std::string(error.what()) + "; --headless runs without a window");
        }
        window->set_title(title_);
        window->show();
        show_frame(*window);
    }

    void show_frame(animation_detail::Window& window) {
        window.set_title(title_);
        window.present(get_ptr());
        for (const auto& [from, to] : window.poll()) {
            if (click_drag_) click_drag_(data_, from.x, from.y, to.x, to.y);
        }
    }

    [[nodiscard]] AnimationEnd reason_to_end(const std::optional<animation_detail::Window>& window) const {
        const int limit = frame_limit_.value_or(std::numeric_limits<int>::max());
        if (frames_done_ >= limit) return AnimationEnd::frame_limit;
        if (interrupted()) return AnimationEnd::interrupt;
        if (window && window->closing()) return AnimationEnd::user;
        return AnimationEnd::not_yet;
    }

    animation_detail::Size grid_;
    void* data_;
    std::unique_ptr<void, Free> memory_;
    void* pixels_ = nullptr;
    Display display_ = Display::window;
    std::optional<int> frame_limit_;
    std::string title_ = "CPUAnimBitmap";
    void (*click_drag_)(void* data, int x0, int y0, int x1, int y1) = nullptr;
    int frames_done_ = 0;
    AnimationEnd ended_by_ = AnimationEnd::not_yet;
};

}  // namespace cudabook
