// A window in which the program itself draws with OpenGL, as old GLUT programs do. This window too is
// implemented in the window library (window_library.hpp). C++17.
#pragma once

#include <memory>
#include <string>

#include "geometry.hpp"
#include "window_library.hpp"

namespace cudabook {

/// Receives the input events of a window during poll(). Positions are in pixels of the window; rows count
/// from the top.
class OpenGlWindowListener {
  public:
    /// A key for a Latin-1 character was pressed or repeats.
    virtual void key(unsigned char character) = 0;

    /// Button 0 (left), 1 (middle) or 2 (right) went down or up.
    virtual void button(int button, bool down) = 0;

    virtual void mouse_moved_to(int x, int y) = 0;
    virtual void resized(int width, int height) = 0;

    /// The window's content may be lost and must be drawn again.
    virtual void redraw() = 0;

  protected:
    OpenGlWindowListener() = default;
    OpenGlWindowListener(const OpenGlWindowListener&) = default;
    OpenGlWindowListener& operator=(const OpenGlWindowListener&) = default;
    ~OpenGlWindowListener() = default;
};

/// The properties of a window when it opens.
struct OpenGlWindowSetup {
    std::string title;
    Size size{300, 300};
    int left = -1;  ///< the upper left corner on the screen; if negative, the window manager chooses
    int top = -1;
    bool double_buffered = true;
    bool visible = true;
};

/// A window with an OpenGL context, for the main thread only. It exists until the process ends. Errors of
/// every call: MachineError.
class OpenGlWindow {
  public:
    OpenGlWindow() = default;
    OpenGlWindow(const OpenGlWindow&) = delete;
    OpenGlWindow& operator=(const OpenGlWindow&) = delete;
    virtual ~OpenGlWindow() = default;

    /// Opens the window and makes its context (OpenGL, compatibility profile) current.
    virtual void open(const OpenGlWindowSetup& setup) = 0;

    /// The size of the framebuffer.
    [[nodiscard]] virtual Size size() const = 0;

    /// Shows what was drawn.
    virtual void swap() = 0;

    /// Returns true if a picture drawn now would be visible; swap() then waits only for the monitor.
    [[nodiscard]] virtual bool ready() const = 0;

    /// Waits for an input event, at most for `seconds`, and passes all input events to the listener.
    virtual void poll(double seconds) = 0;

    /// Whether the user pressed the close button.
    [[nodiscard]] virtual bool closing() const = 0;
};

/// Creates a window that is not open yet; open() opens it. `listener` must outlive the window. Errors:
/// MachineError if there is no display.
inline std::unique_ptr<OpenGlWindow> make_opengl_window(OpenGlWindowListener& listener) {
    using Make = OpenGlWindow*(OpenGlWindowListener&);
    return std::unique_ptr<OpenGlWindow>(
        window_library_function<Make>("cudabook_make_opengl_window_1")(listener));
}

}  // namespace cudabook
