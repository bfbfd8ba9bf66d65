// The GLUT functions that glut.h lacks. With a display, the system's GLUT implements these functions, and the
// program must be linked with the system's GLUT. Without a display, timers fire between frames, text is
// drawn, shapes are left out, and most other functions do nothing. If a program uses these functions, GLU or
// OpenGL and the library is not installed, the program does not compile. The error then names the missing
// package.
#pragma once

// clang-format off
#define CUDABOOK_PRAGMA(words) _Pragma(#words)
#define CUDABOOK_LACKS(...) CUDABOOK_PRAGMA(GCC error #__VA_ARGS__) cudabook_lacks
#define CUDABOOK_LACKS_GLUT(name) CUDABOOK_LACKS(name: the system has no GLUT (Debian: apt-get install freeglut3-dev))
#define CUDABOOK_LACKS_GLU(name) CUDABOOK_LACKS(name: the system has no GLU (Debian: apt-get install libglu1-mesa-dev))
#define CUDABOOK_LACKS_GL(name) CUDABOOK_LACKS(name: the headers of OpenGL are missing (Debian: apt-get install libgl-dev))
// clang-format on

#ifndef GLUT_API_VERSION  // the system's GLUT is not installed

#define CUDABOOK_MORE(name) CUDABOOK_LACKS_GLUT(name)
#define CUDABOOK_MORE_TEXT(name) CUDABOOK_LACKS_GLUT(name)
#define CUDABOOK_MORE_SHAPE(name) CUDABOOK_LACKS_GLUT(name)
#define CUDABOOK_MORE_DONE(name, ours) CUDABOOK_LACKS_GLUT(name)

#elif !defined(__CUDA_ARCH__) || defined(CUDABOOK_EMULATION)

#include "push_macros.h"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "glut.hpp"

namespace cudabook::book {

/// A function of the system's GLUT, and the replacement to call if the program does not use the system's
/// GLUT. A null replacement does nothing.
template <class Result, class... Arguments>
class MoreOfGlut {
  public:
    using Function = Result (*)(Arguments...);
    MoreOfGlut(Function theirs, Function ours) : theirs_{theirs}, ours_{ours} {}

    Result operator()(Arguments... arguments) const {
        const Function function = Glut::self().uses_system_glut() ? theirs_ : ours_;
        return function ? function(arguments...) : Result();
    }

  private:
    Function theirs_;
    Function ours_;
};

template <class Result, class... Arguments>
MoreOfGlut<Result, Arguments...> more_of_glut(Result (*theirs)(Arguments...),
                                              Result (*ours)(Arguments...) = nullptr) {
    return {theirs, ours};
}

namespace without_window {

/// While a WithoutInit exists, the system's GLUT does not end the program if glutInit was not called.
class WithoutInit {
  public:
    WithoutInit() {
        if (on_error_) on_error_([](const char*, va_list) {});
    }
    ~WithoutInit() {
        if (on_error_) on_error_(nullptr);
    }
    WithoutInit(const WithoutInit&) = delete;
    WithoutInit& operator=(const WithoutInit&) = delete;

  private:
    void (*on_error_)(void (*)(const char*, va_list)) =
        reinterpret_cast<decltype(on_error_)>(Glut::linked("glutInitErrorFunc"));
};

/// Draws text with a function of the system's GLUT. This works without a window.
template <auto function>
struct Text;
template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct Text<function> {
    static Result draw(Arguments... arguments) {
        const WithoutInit without_init;
        return function(arguments...);
    }
};

/// Prints once that shapes are left out.
inline void say_left_out() {
    static const bool said = [] {
        std::fprintf(stderr, "GLUT's shapes are left out: they need a window\n");
        return true;
    }();
    static_cast<void>(said);
}

template <class... Arguments>
void leave_out(Arguments... /*arguments*/) {
    say_left_out();
}

inline void close_func(void (*closed)()) { Glut::self().closed = closed; }
inline void destroy_window(int /*window*/) { Glut::self().ended = true; }

inline int extension_supported(const char* name) {
    constexpr unsigned extensions = 0x1F03;
    const auto* all = in_libgl<const unsigned char*(unsigned)>("glGetString")(extensions);
    if (!all) return 0;
    const std::string list = ' ' + std::string(reinterpret_cast<const char*>(all)) + ' ';
    return list.find(' ' + std::string(name) + ' ') != std::string::npos ? 1 : 0;
}

inline int get(unsigned state) {
    switch (state) {
        case GLUT_ELAPSED_TIME:
            return Glut::self().milliseconds();
        case GLUT_WINDOW_WIDTH:
        case GLUT_SCREEN_WIDTH:
        case GLUT_INIT_WINDOW_WIDTH:
            return Glut::self().size.width;
        case GLUT_WINDOW_HEIGHT:
        case GLUT_SCREEN_HEIGHT:
        case GLUT_INIT_WINDOW_HEIGHT:
            return Glut::self().size.height;
        case GLUT_DISPLAY_MODE_POSSIBLE:
            return 1;
        default:
            return 0;
    }
}

inline void (*get_proc_address(const char* name))() { return gl_procedure(name); }
inline int get_window() { return 1; }
inline void leave_main_loop() { Glut::self().ended = true; }

inline void main_loop_event() {
    Glut& glut = Glut::self();
    if (!glut.next_frame()) glut.end();
}

inline void set_option(unsigned option, int value) {
    constexpr unsigned action_when_closed = 0x01F9;
    if (option == action_when_closed) Glut::self().main_loop_returns = value != 0;
}

inline void timer_func(unsigned /*ms*/, void (*timer)(int), int value) {
    Glut::self().timers.emplace_back([=] { timer(value); });
}

}  // namespace without_window
}  // namespace cudabook::book

#include "pop_macros.h"

#define CUDABOOK_MORE(name) cudabook::book::more_of_glut(&::name)
#define CUDABOOK_MORE_TEXT(name) \
    cudabook::book::more_of_glut(&::name, cudabook::book::without_window::Text<&::name>::draw)
#define CUDABOOK_MORE_SHAPE(name) \
    cudabook::book::more_of_glut(&::name, cudabook::book::without_window::leave_out)
#define CUDABOOK_MORE_DONE(name, ours) \
    cudabook::book::more_of_glut(&::name, cudabook::book::without_window::ours)

#endif

#ifdef CUDABOOK_MORE
#define glutAddMenuEntry CUDABOOK_MORE(glutAddMenuEntry)
#define glutAddSubMenu CUDABOOK_MORE(glutAddSubMenu)
#define glutAttachMenu CUDABOOK_MORE(glutAttachMenu)
#define glutBitmapCharacter CUDABOOK_MORE_TEXT(glutBitmapCharacter)
#define glutBitmapHeight CUDABOOK_MORE_TEXT(glutBitmapHeight)
#define glutBitmapLength CUDABOOK_MORE_TEXT(glutBitmapLength)
#define glutBitmapString CUDABOOK_MORE_TEXT(glutBitmapString)
#define glutBitmapWidth CUDABOOK_MORE_TEXT(glutBitmapWidth)
#define glutChangeToMenuEntry CUDABOOK_MORE(glutChangeToMenuEntry)
#define glutChangeToSubMenu CUDABOOK_MORE(glutChangeToSubMenu)
#define glutCloseFunc CUDABOOK_MORE_DONE(glutCloseFunc, close_func)
#define glutCreateMenu CUDABOOK_MORE(glutCreateMenu)
#define glutCreateSubWindow CUDABOOK_MORE(glutCreateSubWindow)
#define glutDestroyMenu CUDABOOK_MORE(glutDestroyMenu)
#define glutDestroyWindow CUDABOOK_MORE_DONE(glutDestroyWindow, destroy_window)
#define glutDetachMenu CUDABOOK_MORE(glutDetachMenu)
#define glutDeviceGet CUDABOOK_MORE(glutDeviceGet)
#define glutEnterGameMode CUDABOOK_MORE(glutEnterGameMode)
#define glutEntryFunc CUDABOOK_MORE(glutEntryFunc)
#define glutExtensionSupported CUDABOOK_MORE_DONE(glutExtensionSupported, extension_supported)
#define glutForceJoystickFunc CUDABOOK_MORE(glutForceJoystickFunc)
#define glutFullScreen CUDABOOK_MORE(glutFullScreen)
#define glutFullScreenToggle CUDABOOK_MORE(glutFullScreenToggle)
#define glutGameModeGet CUDABOOK_MORE(glutGameModeGet)
#define glutGameModeString CUDABOOK_MORE(glutGameModeString)
#define glutGet CUDABOOK_MORE_DONE(glutGet, get)
#define glutGetMenu CUDABOOK_MORE(glutGetMenu)
#define glutGetModifiers CUDABOOK_MORE(glutGetModifiers)
#define glutGetProcAddress CUDABOOK_MORE_DONE(glutGetProcAddress, get_proc_address)
#define glutGetWindow CUDABOOK_MORE_DONE(glutGetWindow, get_window)
#define glutHideWindow CUDABOOK_MORE(glutHideWindow)
#define glutIconifyWindow CUDABOOK_MORE(glutIconifyWindow)
#define glutIgnoreKeyRepeat CUDABOOK_MORE(glutIgnoreKeyRepeat)
#define glutInitContextFlags CUDABOOK_MORE(glutInitContextFlags)
#define glutInitContextProfile CUDABOOK_MORE(glutInitContextProfile)
#define glutInitContextVersion CUDABOOK_MORE(glutInitContextVersion)
#define glutInitDisplayString CUDABOOK_MORE(glutInitDisplayString)
#define glutJoystickFunc CUDABOOK_MORE(glutJoystickFunc)
#define glutKeyboardUpFunc CUDABOOK_MORE(glutKeyboardUpFunc)
#define glutLeaveFullScreen CUDABOOK_MORE(glutLeaveFullScreen)
#define glutLeaveGameMode CUDABOOK_MORE(glutLeaveGameMode)
#define glutLeaveMainLoop CUDABOOK_MORE_DONE(glutLeaveMainLoop, leave_main_loop)
#define glutMainLoopEvent CUDABOOK_MORE_DONE(glutMainLoopEvent, main_loop_event)
#define glutMenuStateFunc CUDABOOK_MORE(glutMenuStateFunc)
#define glutMenuStatusFunc CUDABOOK_MORE(glutMenuStatusFunc)
#define glutMouseWheelFunc CUDABOOK_MORE(glutMouseWheelFunc)
#define glutPopWindow CUDABOOK_MORE(glutPopWindow)
#define glutPositionFunc CUDABOOK_MORE(glutPositionFunc)
#define glutPositionWindow CUDABOOK_MORE(glutPositionWindow)
#define glutPostWindowRedisplay CUDABOOK_MORE(glutPostWindowRedisplay)
#define glutPushWindow CUDABOOK_MORE(glutPushWindow)
#define glutRemoveMenuItem CUDABOOK_MORE(glutRemoveMenuItem)
#define glutReportErrors CUDABOOK_MORE(glutReportErrors)
#define glutReshapeWindow CUDABOOK_MORE(glutReshapeWindow)
#define glutSetCursor CUDABOOK_MORE(glutSetCursor)
#define glutSetIconTitle CUDABOOK_MORE(glutSetIconTitle)
#define glutSetKeyRepeat CUDABOOK_MORE(glutSetKeyRepeat)
#define glutSetMenu CUDABOOK_MORE(glutSetMenu)
#define glutSetOption CUDABOOK_MORE_DONE(glutSetOption, set_option)
#define glutSetWindow CUDABOOK_MORE(glutSetWindow)
#define glutSetWindowTitle CUDABOOK_MORE(glutSetWindowTitle)
#define glutShowWindow CUDABOOK_MORE(glutShowWindow)
#define glutSolidCone CUDABOOK_MORE_SHAPE(glutSolidCone)
#define glutSolidCube CUDABOOK_MORE_SHAPE(glutSolidCube)
#define glutSolidCylinder CUDABOOK_MORE_SHAPE(glutSolidCylinder)
#define glutSolidDodecahedron CUDABOOK_MORE_SHAPE(glutSolidDodecahedron)
#define glutSolidIcosahedron CUDABOOK_MORE_SHAPE(glutSolidIcosahedron)
#define glutSolidOctahedron CUDABOOK_MORE_SHAPE(glutSolidOctahedron)
#define glutSolidSphere CUDABOOK_MORE_SHAPE(glutSolidSphere)
#define glutSolidTeapot CUDABOOK_MORE_SHAPE(glutSolidTeapot)
#define glutSolidTetrahedron CUDABOOK_MORE_SHAPE(glutSolidTetrahedron)
#define glutSolidTorus CUDABOOK_MORE_SHAPE(glutSolidTorus)
#define glutSpecialFunc CUDABOOK_MORE(glutSpecialFunc)
#define glutSpecialUpFunc CUDABOOK_MORE(glutSpecialUpFunc)
#define glutStrokeCharacter CUDABOOK_MORE_TEXT(glutStrokeCharacter)
#define glutStrokeHeight CUDABOOK_MORE_TEXT(glutStrokeHeight)
#define glutStrokeLength CUDABOOK_MORE_TEXT(glutStrokeLength)
#define glutStrokeString CUDABOOK_MORE_TEXT(glutStrokeString)
#define glutStrokeWidth CUDABOOK_MORE_TEXT(glutStrokeWidth)
#define glutTimerFunc CUDABOOK_MORE_DONE(glutTimerFunc, timer_func)
#define glutVisibilityFunc CUDABOOK_MORE(glutVisibilityFunc)
#define glutWMCloseFunc CUDABOOK_MORE_DONE(glutWMCloseFunc, close_func)
#define glutWarpPointer CUDABOOK_MORE(glutWarpPointer)
#define glutWindowStatusFunc CUDABOOK_MORE(glutWindowStatusFunc)
#define glutWireCone CUDABOOK_MORE_SHAPE(glutWireCone)
#define glutWireCube CUDABOOK_MORE_SHAPE(glutWireCube)
#define glutWireCylinder CUDABOOK_MORE_SHAPE(glutWireCylinder)
#define glutWireDodecahedron CUDABOOK_MORE_SHAPE(glutWireDodecahedron)
#define glutWireIcosahedron CUDABOOK_MORE_SHAPE(glutWireIcosahedron)
#define glutWireOctahedron CUDABOOK_MORE_SHAPE(glutWireOctahedron)
#define glutWireSphere CUDABOOK_MORE_SHAPE(glutWireSphere)
#define glutWireTeapot CUDABOOK_MORE_SHAPE(glutWireTeapot)
#define glutWireTetrahedron CUDABOOK_MORE_SHAPE(glutWireTetrahedron)
#define glutWireTorus CUDABOOK_MORE_SHAPE(glutWireTorus)
#endif

#if !__has_include(<GL/gl.h>)
#define GLbitfield CUDABOOK_LACKS_GL(GLbitfield)
#define GLboolean CUDABOOK_LACKS_GL(GLboolean)
#define GLdouble CUDABOOK_LACKS_GL(GLdouble)
#define GLenum CUDABOOK_LACKS_GL(GLenum)
#define GLfloat CUDABOOK_LACKS_GL(GLfloat)
#define GLint CUDABOOK_LACKS_GL(GLint)
#define GLsizei CUDABOOK_LACKS_GL(GLsizei)
#define GLubyte CUDABOOK_LACKS_GL(GLubyte)
#define GLuint CUDABOOK_LACKS_GL(GLuint)
#define glBegin CUDABOOK_LACKS_GL(glBegin)
#define glClear CUDABOOK_LACKS_GL(glClear)
#define glClearColor CUDABOOK_LACKS_GL(glClearColor)
#define glDrawPixels CUDABOOK_LACKS_GL(glDrawPixels)
#define glViewport CUDABOOK_LACKS_GL(glViewport)
#elif !__has_include(<GL/glu.h>)
#define gluErrorString CUDABOOK_LACKS_GLU(gluErrorString)
#define gluLookAt CUDABOOK_LACKS_GLU(gluLookAt)
#define gluNewQuadric CUDABOOK_LACKS_GLU(gluNewQuadric)
#define gluOrtho2D CUDABOOK_LACKS_GLU(gluOrtho2D)
#define gluPerspective CUDABOOK_LACKS_GLU(gluPerspective)
#endif

#if defined(__glew_h__) && (!defined(__CUDA_ARCH__) || defined(CUDABOOK_EMULATION))
namespace cudabook::book {
/// Replaces glewInit(). GLEW looks for the X display last, after loading all OpenGL functions. So a missing
/// display is not reported as an error.
inline GLenum glew_init() {
    constexpr GLenum no_x_display = 4;
    const GLenum error = glewInit();
    return error == no_x_display ? GLenum{GLEW_OK} : error;
}
}  // namespace cudabook::book
#define glewInit cudabook::book::glew_init
#endif
