// How pictures come from OpenGL to the screen. On Wayland eglSwapBuffers can wait for as long as nobody sees
// the window: behind another one, on another workspace, while the screen is off. So the swap interval is 0
// there, and the compositor is asked to say when it wants the next picture (wl_surface.frame).
#pragma once

#include <cstdint>

#include "glfw.hpp"

namespace cudabook {

/// What is used of libwayland-client, which GLFW has loaded. All objects are wl_proxy*.
struct WaylandClient {
    /// What the answer to a request calls, once.
    struct Listener {
        void (*done)(void* data, void* answer, std::uint32_t serial);
    };
    struct Interface;  ///< wl_interface

    void* (*request)(void* object, std::uint32_t opcode, const Interface* answer, ...) = nullptr;
    int (*listen)(void* object, const Listener* listener, void* data) = nullptr;
    void (*destroy)(void* object) = nullptr;
    const Interface* callback = nullptr;

    /// Errors: MachineError.
    void load();
};

/// Shows what was drawn in a window. Like its window, whose context is current, it belongs to the main
/// thread.
class Presenter {
  public:
    explicit Presenter(GLFWwindow* window);
    ~Presenter() {
        if (answer_) wayland_.destroy(answer_);
    }
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// Whether pictures come at the monitor's pace; they do from the start.
    void set_vsync(bool on);

    /// Whether the next picture is wanted: on Wayland not before the compositor has said so, while events
    /// were polled; elsewhere always.
    [[nodiscard]] bool ready() const { return answer_ == nullptr; }

    /// Shows what was drawn. Where ready() says so, it waits for nothing but the monitor.
    void swap();

  private:
    void ask(void* object, std::uint32_t opcode);

    GLFWwindow* window_;
    void* display_ = nullptr;
    void* surface_ = nullptr;  ///< null where this is not Wayland
    WaylandClient wayland_;
    void* answer_ = nullptr;  ///< that the compositor owes
    bool vsync_ = false;      ///< before the constructor sets it
};

}  // namespace cudabook
