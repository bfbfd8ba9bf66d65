// Defines the OpenGL functions that the book's programs call, so that the programs need not link libGL. Each
// function is loaded from libGL at its first call, even if the program does link libGL.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "../program/shared_library.hpp"

#ifndef CUDABOOK_INLINE
#define CUDABOOK_INLINE inline
#endif

namespace cudabook::book {

/// Returns the libGL function `name`. Ends the program if there is no such function.
template <class Function>
Function* in_libgl(const char* name) {
    static const SharedLibrary& library = *new SharedLibrary{"libGL.so.1", "libGL.dylib"};
    if (auto* function = library.function<Function>(name)) return function;
    std::fprintf(stderr,
                 "%s: libGL.so.1 is missing or lacks this function; install OpenGL (Debian: libgl1)\n", name);
    std::exit(3);
}

/// Returns the OpenGL function `name`, or null if there is none.
CUDABOOK_INLINE void (*gl_procedure(const char* name))() {
    return in_libgl<void (*(const unsigned char*))()>("glXGetProcAddressARB")(
        reinterpret_cast<const unsigned char*>(name));
}

}  // namespace cudabook::book

extern "C" __attribute__((weak)) void (*glXGetProcAddress(const unsigned char* name))() {
    return cudabook::book::gl_procedure(reinterpret_cast<const char*>(name));
}
extern "C" __attribute__((weak)) void (*glXGetProcAddressARB(const unsigned char* name))() {
    return cudabook::book::gl_procedure(reinterpret_cast<const char*>(name));
}

#ifdef GL_VERSION_1_1  // OpenGL's header, which has the types, was included
#define CUDABOOK_GL_CALL(result, name, parameters, arguments)                        \
    extern "C" __attribute__((weak)) result name parameters {                        \
        static result(*const function) parameters =                                  \
            cudabook::book::in_libgl<std::remove_pointer_t<decltype(&name)>>(#name); \
        return function arguments;                                                   \
    }

// clang-format off
CUDABOOK_GL_CALL(void, glBegin, (GLenum mode), (mode))
CUDABOOK_GL_CALL(void, glBindTexture, (GLenum target, GLuint texture), (target, texture))
CUDABOOK_GL_CALL(void, glClear, (GLbitfield mask), (mask))
CUDABOOK_GL_CALL(void, glClearColor, (GLclampf r, GLclampf g, GLclampf b, GLclampf a), (r, g, b, a))
CUDABOOK_GL_CALL(void, glColor3f, (GLfloat r, GLfloat g, GLfloat b), (r, g, b))
CUDABOOK_GL_CALL(void, glDeleteTextures, (GLsizei n, const GLuint* textures), (n, textures))
CUDABOOK_GL_CALL(void, glDisable, (GLenum capability), (capability))
CUDABOOK_GL_CALL(void, glDrawPixels, (GLsizei width, GLsizei height, GLenum format, GLenum type, const GLvoid* pixels), (width, height, format, type, pixels))
CUDABOOK_GL_CALL(void, glEnable, (GLenum capability), (capability))
CUDABOOK_GL_CALL(void, glEnd, (), ())
CUDABOOK_GL_CALL(void, glFinish, (), ())
CUDABOOK_GL_CALL(void, glFlush, (), ())
CUDABOOK_GL_CALL(void, glGenTextures, (GLsizei n, GLuint* textures), (n, textures))
CUDABOOK_GL_CALL(GLenum, glGetError, (), ())
CUDABOOK_GL_CALL(void, glLoadIdentity, (), ())
CUDABOOK_GL_CALL(void, glMatrixMode, (GLenum mode), (mode))
CUDABOOK_GL_CALL(void, glOrtho, (GLdouble l, GLdouble r, GLdouble b, GLdouble t, GLdouble n, GLdouble f), (l, r, b, t, n, f))
CUDABOOK_GL_CALL(void, glPixelStorei, (GLenum name, GLint value), (name, value))
CUDABOOK_GL_CALL(void, glRasterPos2i, (GLint x, GLint y), (x, y))
CUDABOOK_GL_CALL(void, glReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, GLvoid* pixels), (x, y, width, height, format, type, pixels))
CUDABOOK_GL_CALL(void, glTexCoord2f, (GLfloat s, GLfloat t), (s, t))
CUDABOOK_GL_CALL(void, glTexImage2D, (GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format, GLenum type, const GLvoid* pixels), (target, level, internal, width, height, border, format, type, pixels))
CUDABOOK_GL_CALL(void, glTexParameteri, (GLenum target, GLenum name, GLint value), (target, name, value))
CUDABOOK_GL_CALL(void, glTexSubImage2D, (GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, const GLvoid* pixels), (target, level, x, y, width, height, format, type, pixels))
CUDABOOK_GL_CALL(void, glVertex2f, (GLfloat x, GLfloat y), (x, y))
CUDABOOK_GL_CALL(void, glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height))
// Newer functions, if the program requested their prototypes. Other programs load these functions by pointer.
#if defined(GL_GLEXT_PROTOTYPES) && !defined(__glew_h__)
CUDABOOK_GL_CALL(void, glBindBuffer, (GLenum target, GLuint buffer), (target, buffer))
CUDABOOK_GL_CALL(void, glBufferData, (GLenum target, GLsizeiptr size, const void* data, GLenum usage), (target, size, data, usage))
CUDABOOK_GL_CALL(void, glDeleteBuffers, (GLsizei n, const GLuint* buffers), (n, buffers))
CUDABOOK_GL_CALL(void, glGenBuffers, (GLsizei n, GLuint* buffers), (n, buffers))
#endif
// clang-format on

#undef CUDABOOK_GL_CALL
#endif
