// A window that shows a picture with a panel on it, and tells what the user does. What draws it (GLFW, GLEW,
// OpenGL 3.3, Dear ImGui) is compiled into a library of its own, common/window/library/, which a program
// loads when it opens its first window: it starts where these are missing. C++17.
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

/// A window with its OpenGL context, which is current in the thread that opened it. All of it belongs to the
/// main thread. Errors of every call: MachineError.
class Window {
  public:
    Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    virtual ~Window() = default;

    /// Puts the window on the screen.
    virtual void show() = 0;

    /// The title, in UTF-8.
    virtual void set_title(const std::string& title) = 0;

    /// Whether pictures come at the monitor's pace; they do from the start.
    virtual void set_vsync(bool on) = 0;

    /// Fills the monitor that the window is on, or returns to its old place.
    virtual void set_fullscreen(bool on) = 0;

    /// The number of the picture's texture in OpenGL.
    [[nodiscard]] virtual unsigned texture() const = 0;

    /// Copies the pixels (RGBA, 4 bytes each, row 0 at the bottom) to the texture.
    virtual void upload(const unsigned char* rgba) = 0;

    /// Shows the texture and, where they are wanted, the panel and its keys.
    virtual void draw(const Panel& panel, bool with_panel, bool with_keys) = 0;

    /// Whether a part of what was drawn may be lost, or the window has another size since.
    [[nodiscard]] virtual bool stale() const = 0;

    /// What the user did since the last call.
    virtual std::vector<WindowEvent> poll() = 0;

    /// Waits until something happens to the window, at most for so long.
    virtual void wait(std::chrono::duration<double> time) = 0;

    /// Whether the user pressed the close button.
    [[nodiscard]] virtual bool closing() const = 0;

    /// Whether a picture drawn now would be seen: not while the window is minimised, and on Wayland not
    /// before the compositor asks for one. Then draw() waits for nothing but the monitor. It changes in
    /// poll() and wait().
    [[nodiscard]] virtual bool ready() const = 0;
};

/// Opens a window for a grid, not yet on the screen: as large as the grid, or as fits on the monitor.
/// MachineError: there is no window library, no display, no OpenGL 3.3, or no texture that large.
inline std::unique_ptr<Window> open_window(Size grid) {
    return std::unique_ptr<Window>(window_library_function<Window*(Size)>("cudabook_open_window_1")(grid));
}

/// Whether a window can be opened here and now; if not, `reason` gets one line that says why. Not to be asked
/// while another is open.
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
