// Presents what OpenGL drew. On Wayland, eglSwapBuffers can block for as long as the window is invisible:
// behind another window, on another workspace, or while the screen is off. So on Wayland the swap interval is
// 0, and the compositor is asked to report when it wants the next picture (wl_surface.frame).
#pragma once

#include <cstdint>

#include "glfw.hpp"

namespace cudabook {

/// The functions used from libwayland-client, which GLFW has loaded. All objects are wl_proxy*.
struct WaylandClient {
    /// `done` is called once, when the compositor answers a request.
    struct Listener {
        void (*done)(void* data, void* answer, std::uint32_t serial);
    };
    struct Interface;  ///< stands for wl_interface

    void* (*request)(void* object, std::uint32_t opcode, const Interface* answer, ...) = nullptr;
    int (*listen)(void* object, const Listener* listener, void* data) = nullptr;
    void (*destroy)(void* object) = nullptr;
    const Interface* callback = nullptr;

    /// Loads the functions. Errors: MachineError.
    void load();
};

/// Swaps the buffers of a window. For the main thread only; the window's context must be current.
class Presenter {
  public:
    explicit Presenter(GLFWwindow* window);
    ~Presenter() {
        if (answer_) wayland_.destroy(answer_);
    }
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// Sets whether to wait for vertical sync; on by default.
    void set_vsync(bool on);

    /// Returns true if the next picture is wanted. On Wayland, this is so once event polling has received the
    /// compositor's answer to the last swap(); elsewhere, always.
    [[nodiscard]] bool ready() const { return answer_ == nullptr; }

    /// Shows what was drawn. If ready() is true, waits only for the monitor.
    void swap();

  private:
    void ask(void* object, std::uint32_t opcode);

    GLFWwindow* window_;
    void* display_ = nullptr;
    void* surface_ = nullptr;  ///< null if this is not Wayland
    WaylandClient wayland_;
    void* answer_ = nullptr;  ///< the request that the compositor has not answered yet, or null
    bool vsync_ = false;      ///< whether to wait for vertical sync; the constructor switches it on
};

}  // namespace cudabook
