// Includes the system's GLUT, if it is installed, then this project's glut.h with the functions that the
// books' programs use. There is no include guard, because #include_next may lead to the same header in
// another folder.
#if __has_include_next(<GL/glut.h>)
#include_next <GL/glut.h>
#endif
#ifdef __cplusplus
#include "../../../glut.h"
#endif
