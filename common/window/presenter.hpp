// How pictures come from OpenGL to the screen. On Wayland eglSwapBuffers can wait for as long as nobody sees
// the window: behind another one, on another workspace, while the screen is off. So the swap interval is 0
// there, and the compositor is asked to say when it wants the next picture (wl_surface.frame).
#pragma once

#include <cstdint>
#include <type_traits>

#include "../program/shared_library.hpp"
#include "opengl.hpp"

namespace cudabook {

/// Shows what was drawn in a window. Like its window, whose context is current, it belongs to the main
/// thread.
class Presenter {
  public:
    explicit Presenter(GLFWwindow* window) : window_{window} {
        if (glfw.GetWaylandWindow) surface_ = glfw.GetWaylandWindow(window);
        if (surface_) {
            display_ = glfw.GetWaylandDisplay();
            wayland_.load();
        } else {
            glfw.GetError(nullptr);  // that this is not Wayland
        }
        set_vsync(true);
    }
    ~Presenter() {
        if (answer_) wayland_.destroy(answer_);
    }
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// Whether pictures come at the monitor's pace; they do from the start.
    void set_vsync(bool on) {
        if (on == vsync_) return;
        vsync_ = on;
        glfw.SwapInterval(on && !surface_ ? 1 : 0);
    }

    /// Whether the next picture is wanted: on Wayland not before the compositor has said so, while events
    /// were polled; elsewhere always.
    [[nodiscard]] bool ready() const { return answer_ == nullptr; }

    /// Shows what was drawn. Where ready() says so, it waits for nobody but the monitor.
    void swap() {
        // The request belongs to the picture that follows. GLFW shows none before the window is visible.
        if (surface_ && vsync_ && glfw.GetWindowAttrib(window_, GLFW_VISIBLE)) ask(surface_, surface_frame);
        glfw.SwapBuffers(window_);
        // At no pace the next one is wanted as soon as the compositor has got this one.
        if (surface_ && !vsync_) ask(display_, display_sync);
    }

  private:
    /// What the answer to both requests calls, once.
    struct Listener {
        void (*done)(void* presenter, void* answer, std::uint32_t data);
    };
    static constexpr std::uint32_t display_sync = 0;  ///< as the protocol numbers them
    static constexpr std::uint32_t surface_frame = 3;

    struct Interface;  ///< wl_interface

    /// What is used of libwayland-client, which GLFW has loaded. All objects are wl_proxy*.
    struct Wayland {
        void* (*request)(void* object, std::uint32_t opcode, const Interface* answer, ...) = nullptr;
        int (*listen)(void* object, const Listener* listener, void* data) = nullptr;
        void (*destroy)(void* object) = nullptr;
        const Interface* callback = nullptr;

        void load() {
            static const SharedLibrary& library = *new SharedLibrary{"libwayland-client.so.0"};
            const auto load_into = [](auto& pointer, const char* name) {
                pointer =
                    library.function<std::remove_pointer_t<std::remove_reference_t<decltype(pointer)>>>(name);
                if (!pointer)
                    throw MachineError(std::string("no window: libwayland-client.so.0 has no ") + name);
            };
            load_into(request, "wl_proxy_marshal_constructor");
            load_into(listen, "wl_proxy_add_listener");
            load_into(destroy, "wl_proxy_destroy");
            load_into(callback, "wl_callback_interface");
        }
    };

    void ask(void* object, std::uint32_t opcode) {
        static constexpr Listener listener{[](void* presenter, void* answer, std::uint32_t) {
            auto& self = *static_cast<Presenter*>(presenter);
            self.wayland_.destroy(answer);
            self.answer_ = nullptr;
        }};
        if (answer_) return;
        answer_ = wayland_.request(object, opcode, wayland_.callback, nullptr);
        if (answer_) wayland_.listen(answer_, &listener, this);
    }

    GLFWwindow* window_;
    void* display_ = nullptr;
    void* surface_ = nullptr;  ///< null where this is not Wayland
    Wayland wayland_;
    void* answer_ = nullptr;  ///< that the compositor owes
    bool vsync_ = false;      ///< before the constructor sets it
};

}  // namespace cudabook
