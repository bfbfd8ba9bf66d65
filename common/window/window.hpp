// A window that shows a picture and a panel, and reports input. Its implementation (GLFW, GLEW, OpenGL 3.3,
// Dear ImGui) is a separate shared library, common/window/library/, which a program loads when it opens its
// first window. So programs start even where these libraries are missing. C++17.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "../program/errors.hpp"
#include "geometry.hpp"
#include "input.hpp"
#include "panel.hpp"
#include "window_library.hpp"

namespace cudabook {

/// A window with its OpenGL context, which is current in the thread that opened it. For the main thread only.
/// Errors of every call: MachineError.
class Window {
  public:
    Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    virtual ~Window() = default;

    /// Puts the window on the screen.
    virtual void show() = 0;

    /// Sets the title, in UTF-8.
    virtual void set_title(const std::string& title) = 0;

    /// Sets whether to wait for vertical sync; on by default.
    virtual void set_vsync(bool on) = 0;

    /// Makes the window fill the monitor that it is on, or returns it to the old size and position.
    virtual void set_fullscreen(bool on) = 0;

    /// The OpenGL name of the picture's texture.
    [[nodiscard]] virtual unsigned texture() const = 0;

    /// Copies the pixels (RGBA, 4 bytes each, row 0 at the bottom) to the texture.
    virtual void upload(const unsigned char* rgba) = 0;

    /// Draws the texture and, if requested, the panel and the list of keys.
    virtual void draw(const Panel& panel, bool with_panel, bool with_keys) = 0;

    /// Returns true if the window must be drawn again: part of its content may be lost, or its size has
    /// changed.
    [[nodiscard]] virtual bool stale() const = 0;

    /// Returns the input events since the last call.
    virtual std::vector<WindowEvent> poll() = 0;

    /// Waits for an event of the window, at most for `time`.
    virtual void wait(std::chrono::duration<double> time) = 0;

    /// Whether the user pressed the close button.
    [[nodiscard]] virtual bool closing() const = 0;

    /// Returns true if a picture drawn now would be visible; draw() then waits only for the monitor. Returns
    /// false while the window is minimised and, on Wayland, until the compositor asks for a picture. The
    /// result changes only in poll() and wait().
    [[nodiscard]] virtual bool ready() const = 0;
};

/// Creates a hidden window for a grid. The window is as large as the grid or, if the monitor is too small, as
/// large as fits. Errors: MachineError if there is no window library, no display, no OpenGL 3.3, or no
/// texture as large as the grid.
inline std::unique_ptr<Window> open_window(Size grid) {
    return std::unique_ptr<Window>(window_library_function<Window*(Size)>("cudabook_open_window_2")(grid));
}

/// Returns true if a window can be opened. Otherwise sets `reason` to one line that says why. Must not be
/// called while a window is open.
inline bool display_available(std::string* reason = nullptr) {
    try {
        open_window({1, 1});
        return true;
    } catch (const MachineError& error) {
        if (reason) *reason = error.what();
        return false;
    }
}

}  // namespace cudabook
