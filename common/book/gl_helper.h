// gl_helper.h of CUDA by Example: OpenGL and GLUT, and where the program's own pointers to OpenGL's functions
// come from. Written anew; glut.h says the rest.
#ifndef __GL_HELPER_H__
#define __GL_HELPER_H__

#include "include/chapter/GL/glut.h"

#define GET_PROC_ADDRESS(name) cudabook::book::gl_procedure((const char*)(name))

#endif
