// OpenGL without a display, through EGL, which is loaded at run time; its headers are not needed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../program/errors.hpp"
#include "../program/shared_library.hpp"
#include "device_of_thread.hpp"

namespace cudabook::book {

/// The functions used from EGL 1.4 and its device extensions. Errors: MachineError.
class Egl {
  public:
    using Handle = void*;
    using Int = std::int32_t;
    using Boolean = unsigned;

    enum Name : Int {
        alpha_size = 0x3021,
        blue_size = 0x3022,
        green_size = 0x3023,
        red_size = 0x3024,
        depth_size = 0x3025,
        stencil_size = 0x3026,
        surface_type = 0x3033,  // the value 1 means a pbuffer
        none = 0x3038,
        renderable_type = 0x3040,  // the value 8 means OpenGL
        height = 0x3056,
        width = 0x3057,
        opengl_api = 0x30A2,
        platform_device = 0x313F,
        cuda_device = 0x323A,
    };

    Boolean (*query_devices)(Int most, Handle* devices, Int* count);
    Boolean (*query_device)(Handle device, Int name, std::intptr_t* value);
    Handle (*display_of)(unsigned platform, Handle device, const Int* attributes);
    Boolean (*initialize)(Handle display, Int* major, Int* minor);
    Boolean (*bind_api)(unsigned api);
    Boolean (*choose_config)(Handle display, const Int* attributes, Handle* configs, Int most, Int* count);
    Handle (*create_picture)(Handle display, Handle config, const Int* attributes);
    Handle (*create_context)(Handle display, Handle config, Handle shared, const Int* attributes);
    Boolean (*make_current)(Handle display, Handle draw, Handle read, Handle context);

    Egl() {
        static const SharedLibrary& library = *new SharedLibrary{"libEGL.so.1"};
        if (!library.loaded()) cannot("libEGL.so.1 is missing");
        from(library, initialize, "eglInitialize");
        from(library, bind_api, "eglBindAPI");
        from(library, choose_config, "eglChooseConfig");
        from(library, create_picture, "eglCreatePbufferSurface");
        from(library, create_context, "eglCreateContext");
        from(library, make_current, "eglMakeCurrent");
        from(library, procedure_, "eglGetProcAddress");
        from_extension(query_devices, "eglQueryDevicesEXT");
        from_extension(query_device, "eglQueryDeviceAttribEXT");
        from_extension(display_of, "eglGetPlatformDisplayEXT");
    }

    [[noreturn]] static void cannot(const std::string& why) {
        throw MachineError("no OpenGL without a display: " + why +
                           "; install Mesa's EGL (Debian: apt-get install libegl1)");
    }

  private:
    template <class Function>
    static void from(const SharedLibrary& library, Function*& function, const char* name) {
        function = library.function<Function>(name);
        if (!function) cannot(std::string("EGL has no ") + name);
    }

    template <class Function>
    void from_extension(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(procedure_(name));
        if (!function) cannot(std::string("EGL has no ") + name);
    }

    void (*(*procedure_)(const char* name))();
};

/// Creates an OpenGL context (compatibility profile) with an offscreen framebuffer of width x height pixels,
/// and makes the context current in this thread until the process ends. The context is on the GPU of the
/// thread's CUDA device if OpenGL works there, so that CUDA and OpenGL can share buffers. Errors:
/// MachineError.
inline void draw_offscreen(int width, int height) {
    setenv("EGL_LOG_LEVEL", "fatal", 0);  // Mesa would print a warning for each unusable device
    const Egl egl;
    const auto works_on = [&](Egl::Handle device) {
        constexpr Egl::Int wanted[] = {Egl::surface_type, 1,  Egl::renderable_type, 8, Egl::red_size,   8,
                                       Egl::green_size,   8,  Egl::blue_size,       8, Egl::alpha_size, 8,
                                       Egl::depth_size,   24, Egl::stencil_size,    8, Egl::none};
        const Egl::Int size[] = {Egl::width, width, Egl::height, height, Egl::none};
        const Egl::Handle display = egl.display_of(Egl::platform_device, device, nullptr);
        if (!display || !egl.initialize(display, nullptr, nullptr) || !egl.bind_api(Egl::opengl_api))
            return false;
        Egl::Handle config = nullptr;
        Egl::Int configs = 0;
        if (!egl.choose_config(display, wanted, &config, 1, &configs) || configs == 0) return false;
        const Egl::Handle picture = egl.create_picture(display, config, size);
        const Egl::Handle context = egl.create_context(display, config, nullptr, nullptr);
        return picture && context && egl.make_current(display, picture, picture, context) != 0;
    };
    const auto cuda_device = [&](Egl::Handle device) {
        std::intptr_t number = -1;
        return egl.query_device(device, Egl::cuda_device, &number) ? number : -1;
    };
    std::array<Egl::Handle, 64> devices{};
    Egl::Int count = 0;
    egl.query_devices(static_cast<Egl::Int>(devices.size()), devices.data(), &count);
    const auto end = devices.begin() + count;
    std::stable_partition(devices.begin(), end,
                          [&](Egl::Handle device) { return cuda_device(device) == device_of_thread(); });
    if (std::none_of(devices.begin(), end, works_on)) Egl::cannot("EGL has no device that draws");
}

}  // namespace cudabook::book
