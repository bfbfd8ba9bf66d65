// GLFW and OpenGL as tables of functions, loaded when the first window opens: a program that uses them links
// neither. Their headers are needed; the functions are called as glfw.Init() and gl.Clear(). C++17.
#pragma once

#include <string>
#include <type_traits>

#include "../program/errors.hpp"
#include "../program/shared_library.hpp"

#include <GL/gl.h>
#include <GL/glext.h>
#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE
#endif
#include <GLFW/glfw3.h>

// clang-format off
// What is used of GLFW 3.3.
#define CUDABOOK_GLFW_FUNCTIONS(X) \
    X(CreateWindow) X(DefaultWindowHints) X(DestroyWindow) X(GetCurrentContext) X(GetError) \
    X(GetFramebufferSize) X(GetKeyName) X(GetMonitorPos) X(GetMonitorWorkarea) X(GetMonitors) \
    X(GetPrimaryMonitor) X(GetProcAddress) X(GetVideoMode) X(GetWindowAttrib) X(GetWindowFrameSize) \
    X(GetWindowPos) X(GetWindowSize) X(GetWindowUserPointer) X(Init) X(MakeContextCurrent) X(PollEvents) \
    X(SetCharCallback) X(SetCursorPosCallback) X(SetFramebufferSizeCallback) X(SetKeyCallback) \
    X(SetMouseButtonCallback) X(SetWindowMonitor) X(SetWindowPos) X(SetWindowRefreshCallback) \
    X(SetWindowSize) X(SetWindowTitle) X(SetWindowUserPointer) X(ShowWindow) X(SwapBuffers) X(SwapInterval) \
    X(Terminate) X(WaitEventsTimeout) X(WindowHint) X(WindowShouldClose)

// What is used of OpenGL: first what version 1.1 has, which GL/gl.h declares, then what came later.
#define CUDABOOK_OLD_GL_FUNCTIONS(X) \
    X(BindTexture) X(Clear) X(ClearColor) X(DeleteTextures) X(DrawArrays) X(GenTextures) X(GetError) \
    X(GetIntegerv) X(TexImage2D) X(TexParameteri) X(TexSubImage2D) X(Viewport)
#define CUDABOOK_NEW_GL_FUNCTIONS(X) \
    X(AttachShader, ATTACHSHADER) X(BindVertexArray, BINDVERTEXARRAY) X(CompileShader, COMPILESHADER) \
    X(CreateProgram, CREATEPROGRAM) X(CreateShader, CREATESHADER) X(DeleteProgram, DELETEPROGRAM) \
    X(DeleteShader, DELETESHADER) X(DeleteVertexArrays, DELETEVERTEXARRAYS) \
    X(GenVertexArrays, GENVERTEXARRAYS) X(GetProgramInfoLog, GETPROGRAMINFOLOG) \
    X(GetProgramiv, GETPROGRAMIV) X(GetShaderInfoLog, GETSHADERINFOLOG) X(GetShaderiv, GETSHADERIV) \
    X(GetUniformLocation, GETUNIFORMLOCATION) X(LinkProgram, LINKPROGRAM) X(ShaderSource, SHADERSOURCE) \
    X(Uniform4i, UNIFORM4I) X(UseProgram, USEPROGRAM)
// clang-format on

namespace cudabook {

/// GLFW's functions, without their prefix.
struct Glfw {
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUDABOOK_MEMBER(name) decltype(&::glfw##name) name = nullptr;
    CUDABOOK_GLFW_FUNCTIONS(CUDABOOK_MEMBER)
#undef CUDABOOK_MEMBER
    // Null in a GLFW that knows no Wayland.
    void* (*GetWaylandDisplay)() = nullptr;
    void* (*GetWaylandWindow)(GLFWwindow* window) = nullptr;

    /// Loads the library; it then stays until the process ends. Errors: MachineError.
    void load() {
        static const SharedLibrary& library = *new SharedLibrary{"libglfw.so.3", "libglfw.3.dylib"};
        if (!library.loaded()) {
            throw MachineError(
                "no window: libglfw.so.3 is missing; install GLFW 3.3 or newer (Debian: apt-get install "
                "libglfw3)");
        }
#define CUDABOOK_LOAD(name) from(library, name, "glfw" #name);
        CUDABOOK_GLFW_FUNCTIONS(CUDABOOK_LOAD)
#undef CUDABOOK_LOAD
        GetWaylandDisplay = library.function<void*()>("glfwGetWaylandDisplay");
        GetWaylandWindow = library.function<void*(GLFWwindow*)>("glfwGetWaylandWindow");
    }

  private:
    template <class Function>
    static void from(const SharedLibrary& library, Function*& function, const char* name) {
        function = library.function<Function>(name);
        if (!function) throw MachineError(std::string("no window: GLFW is older than 3.3: no ") + name);
    }
};

/// OpenGL's functions, without their prefix.
struct OpenGl {
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUDABOOK_MEMBER(name) decltype(&::gl##name) name = nullptr;
    CUDABOOK_OLD_GL_FUNCTIONS(CUDABOOK_MEMBER)
#undef CUDABOOK_MEMBER
#define CUDABOOK_MEMBER(name, capitals) PFNGL##capitals##PROC name = nullptr;
    CUDABOOK_NEW_GL_FUNCTIONS(CUDABOOK_MEMBER)
#undef CUDABOOK_MEMBER

    /// Asks the context that is current in this thread. Errors: MachineError.
    void load();
};

inline Glfw glfw;
inline OpenGl gl;

/// One function of the context that is current in this thread; null if it has none of that name.
template <class Function>
Function* gl_function(const char* name) {
    return reinterpret_cast<Function*>(glfw.GetProcAddress(name));
}

inline void OpenGl::load() {
    const auto load_into = [](auto& function, const char* name) {
        function = gl_function<std::remove_pointer_t<std::remove_reference_t<decltype(function)>>>(name);
        if (!function) throw MachineError(std::string("no window: OpenGL has no ") + name);
    };
#define CUDABOOK_LOAD(name, ...) load_into(name, "gl" #name);
    CUDABOOK_OLD_GL_FUNCTIONS(CUDABOOK_LOAD)
    CUDABOOK_NEW_GL_FUNCTIONS(CUDABOOK_LOAD)
#undef CUDABOOK_LOAD
}

}  // namespace cudabook
