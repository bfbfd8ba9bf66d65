// The part of GLUT that the programs of CUDA by Example use.
#include "../../../gl_helper.h"
