// The headers of OpenGL before texture_reference.h: they may come in any order.
#if __has_include(<GL/glew.h>)
#include <GL/glew.h>
#endif
#if __has_include(<GLFW/glfw3.h>)
#include <GLFW/glfw3.h>
#endif
// clang-format off
#include "texture_reference.h"
#include "gl_headers.cu"
// clang-format on
