// The same as GL/glut.h, under freeglut's name.
#if __has_include_next(<GL/freeglut.h>)
#include_next <GL/freeglut.h>
#endif
#ifdef __cplusplus
#include "../../../glut.h"
#endif
