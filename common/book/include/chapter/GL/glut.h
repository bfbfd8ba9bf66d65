// The system's GLUT, where it is installed; then ours, which does the part that the books' programs use. It
// has no guard, because one folder's may lead to another's.
#if __has_include_next(<GL/glut.h>)
#include_next <GL/glut.h>
#endif
#ifdef __cplusplus
#include "../../../glut.h"
#endif
