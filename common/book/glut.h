// GLUT for old programs: the functions that the books' programs call, in a GLFW window or, without a display,
// offscreen (display.hpp lists the environment variables). If the program is linked with the system's GLUT
// (-lglut) and there is a display, it uses the system's GLUT instead, with all its functions.
#ifndef CUDABOOK_BOOK_GLUT_H
#define CUDABOOK_BOOK_GLUT_H

#include "gl_names.h"

#if !defined(__CUDA_ARCH__) || defined(CUDABOOK_EMULATION)  // not needed for device code
#include "push_macros.h"

#include "gl_calls.hpp"
#include "glut.hpp"

#include "pop_macros.h"
#endif

#include "more_glut.h"

#endif
