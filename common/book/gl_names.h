// Declares the OpenGL and GLUT names that the books' programs use; glut.h includes the implementation.
#ifndef CUDABOOK_BOOK_GL_NAMES_H
#define CUDABOOK_BOOK_GL_NAMES_H

#if __has_include(<GL/gl.h>) && __has_include(<GL/glext.h>)
#include <GL/gl.h>
#include <GL/glext.h>
#if __has_include(<GL/glu.h>)
#include <GL/glu.h>
#endif
#endif

#ifdef GLUT_API_VERSION  // the system's GLUT is installed
#if __has_include(<GL/freeglut_ext.h>)
#include <GL/freeglut_ext.h>
#endif
#else
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
#endif

extern "C" {
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
}

namespace cudabook::book {
void (*gl_procedure(const char* name))();
}

#define GET_PROC_ADDRESS(name) cudabook::book::gl_procedure((const char*)(name))

#endif
