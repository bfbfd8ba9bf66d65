// gl_helper.h of CUDA by Example: OpenGL's types, and the part of GLUT that its programs call, over GLFW in a
// compatibility context. Written anew; display.hpp says what the environment may ask for: with
// CUDABOOK_FRAMES the window stays hidden (OpenGL needs a display all the same).
#ifndef __GL_HELPER_H__
#define __GL_HELPER_H__

#if __has_include(<GL/gl.h>) && __has_include(<GL/glext.h>)
#include <GL/gl.h>
#include <GL/glext.h>
#endif

#define GLUT_RGB 0
#define GLUT_RGBA 0
#define GLUT_INDEX 1
#define GLUT_SINGLE 0
#define GLUT_DOUBLE 2
#define GLUT_ACCUM 4
#define GLUT_ALPHA 8
#define GLUT_DEPTH 16
#define GLUT_STENCIL 32
#define GLUT_MULTISAMPLE 128

#define GLUT_LEFT_BUTTON 0
#define GLUT_MIDDLE_BUTTON 1
#define GLUT_RIGHT_BUTTON 2
#define GLUT_DOWN 0
#define GLUT_UP 1

namespace cudabook::book {
/// A function of OpenGL; null where there is none of that name, or no context yet.
void (*gl_procedure(const char* name))();
}  // namespace cudabook::book

/// Where the program's own pointers to OpenGL's functions come from.
#define GET_PROC_ADDRESS(name) cudabook::book::gl_procedure((const char*)(name))

void glutInit(int* argc, char** argv);
void glutInitDisplayMode(unsigned mode);
void glutInitWindowSize(int width, int height);
void glutInitWindowPosition(int left, int top);
int glutCreateWindow(const char* title);
void glutDisplayFunc(void (*display)());
void glutReshapeFunc(void (*reshape)(int width, int height));
void glutKeyboardFunc(void (*keyboard)(unsigned char key, int x, int y));
void glutMouseFunc(void (*mouse)(int button, int state, int x, int y));
void glutMotionFunc(void (*motion)(int x, int y));
void glutPassiveMotionFunc(void (*motion)(int x, int y));
void glutIdleFunc(void (*idle)());
void glutPostRedisplay();
void glutSwapBuffers();
void glutMainLoop();

#ifndef __CUDA_ARCH__  // the compiler of device code need not read what follows
#include "push_macros.h"

#include "glut.hpp"
#if CUDABOOK_HAS_WINDOW
#include "gl_calls.hpp"
#endif

#include "pop_macros.h"
#endif

#endif
