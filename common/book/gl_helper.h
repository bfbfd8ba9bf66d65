// gl_helper.h of CUDA by Example: OpenGL, GLUT and GET_PROC_ADDRESS, which loads OpenGL functions. Written
// from scratch; see glut.h.
#ifndef __GL_HELPER_H__
#define __GL_HELPER_H__

#include "include/chapter/GL/glut.h"

#endif
