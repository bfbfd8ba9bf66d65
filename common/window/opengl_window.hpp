// A window in which the program itself draws by OpenGL, as old programs do under GLUT. It is in the window's
// library too (window_library.hpp). C++17.
#pragma once

#include <memory>
#include <string>

#include "geometry.hpp"
#include "window_library.hpp"

namespace cudabook {

/// What such a window calls when the user does something, while it is polled. Positions are in pixels of the
/// window; rows count from the top.
class OpenGlWindowListener {
  public:
    /// A key that is a character of Latin-1 was pressed, or repeats.
    virtual void key(unsigned char character) = 0;

    /// Button 0 (left), 1 (middle) or 2 (right) went down or up.
    virtual void button(int button, bool down) = 0;

    virtual void mouse_moved_to(int x, int y) = 0;
    virtual void resized(int width, int height) = 0;

    /// What was drawn may be lost.
    virtual void redraw() = 0;

  protected:
    OpenGlWindowListener() = default;
    OpenGlWindowListener(const OpenGlWindowListener&) = default;
    OpenGlWindowListener& operator=(const OpenGlWindowListener&) = default;
    ~OpenGlWindowListener() = default;
};

/// How it looks when it opens.
struct OpenGlWindowSetup {
    std::string title;
    Size size{300, 300};
    int left = -1;  ///< of its upper left corner on the screen; negative: where the window manager likes
    int top = -1;
    bool double_buffered = true;
    bool visible = true;
};

/// The window, in the main thread. It lasts until the process ends. Errors of every call: MachineError.
class OpenGlWindow {
  public:
    OpenGlWindow() = default;
    OpenGlWindow(const OpenGlWindow&) = delete;
    OpenGlWindow& operator=(const OpenGlWindow&) = delete;
    virtual ~OpenGlWindow() = default;

    /// Opens it and makes its context current: OpenGL of the compatibility profile.
    virtual void open(const OpenGlWindowSetup& setup) = 0;

    /// The size of what OpenGL draws on.
    [[nodiscard]] virtual Size size() const = 0;

    /// Shows what was drawn.
    virtual void swap() = 0;

    /// Whether a picture drawn now would be seen; then swap() waits for nothing but the monitor.
    [[nodiscard]] virtual bool ready() const = 0;

    /// Tells the listener what the user did; waits until there is something, at most for so many seconds.
    virtual void poll(double seconds) = 0;

    /// Whether the user pressed the close button.
    [[nodiscard]] virtual bool closing() const = 0;
};

/// Prepares one, which open() opens. Where there is no display: MachineError. `listener` must outlive it.
inline std::unique_ptr<OpenGlWindow> make_opengl_window(OpenGlWindowListener& listener) {
    using Make = OpenGlWindow*(OpenGlWindowListener&);
    return std::unique_ptr<OpenGlWindow>(
        window_library_function<Make>("cudabook_make_opengl_window_1")(listener));
}

}  // namespace cudabook
