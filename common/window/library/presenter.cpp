#include "presenter.hpp"

#include <string>
#include <type_traits>

#include "common/program/errors.hpp"
#include "common/program/shared_library.hpp"

// Weak, so that these functions are null in a GLFW without Wayland; the declarations in glfw3native.h are not
// weak.
extern "C" {
[[gnu::weak]] void* glfwGetWaylandDisplay();
[[gnu::weak]] void* glfwGetWaylandWindow(GLFWwindow* window);
}

namespace cudabook {

namespace {

constexpr std::uint32_t display_sync = 0;  // opcodes of the Wayland protocol
constexpr std::uint32_t surface_frame = 3;

}  // namespace

void WaylandClient::load() {
    static const SharedLibrary& library = *new SharedLibrary{"libwayland-client.so.0"};
    const auto load_into = [](auto& pointer, const char* name) {
        pointer = library.function<std::remove_pointer_t<std::remove_reference_t<decltype(pointer)>>>(name);
        if (!pointer) throw MachineError(std::string("no window: libwayland-client.so.0 has no ") + name);
    };
    load_into(request, "wl_proxy_marshal_constructor");
    load_into(listen, "wl_proxy_add_listener");
    load_into(destroy, "wl_proxy_destroy");
    load_into(callback, "wl_callback_interface");
}

Presenter::Presenter(GLFWwindow* window) : window_{window} {
    if (glfwGetWaylandWindow) surface_ = glfwGetWaylandWindow(window);
    if (surface_) {
        display_ = glfwGetWaylandDisplay();
        wayland_.load();
    } else {
        glfwGetError(nullptr);  // clears the error that this is not Wayland
    }
    set_vsync(true);
}

void Presenter::set_vsync(bool on) {
    if (on == vsync_) return;
    vsync_ = on;
    glfwSwapInterval(on && !surface_ ? 1 : 0);
}

void Presenter::swap() {
    // The request goes with the next picture. GLFW shows no picture before the window is visible.
    if (surface_ && vsync_ && glfwGetWindowAttrib(window_, GLFW_VISIBLE)) ask(surface_, surface_frame);
    glfwSwapBuffers(window_);
    // Without vertical sync, the next picture is wanted as soon as the compositor has received this picture.
    if (surface_ && !vsync_) ask(display_, display_sync);
}

void Presenter::ask(void* object, std::uint32_t opcode) {
    static constexpr WaylandClient::Listener listener{[](void* presenter, void* answer, std::uint32_t) {
        auto& self = *static_cast<Presenter*>(presenter);
        self.wayland_.destroy(answer);
        self.answer_ = nullptr;
    }};
    if (answer_) return;
    answer_ = wayland_.request(object, opcode, wayland_.callback, nullptr);
    if (answer_) wayland_.listen(answer_, &listener, this);
}

}  // namespace cudabook
