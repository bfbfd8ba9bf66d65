// An old-style program with its own gl_helper.h: it maps an OpenGL buffer, with functions from GLX.
#include "own_headers/gl_helper.h"
#include <stdio.h>
#include <stdlib.h>

#define DIM 128

PFNGLBINDBUFFERARBPROC bind_buffer = NULL;
PFNGLGENBUFFERSARBPROC gen_buffers = NULL;
PFNGLBUFFERDATAARBPROC buffer_data = NULL;
PFNGLMAPBUFFERARBPROC map_buffer = NULL;
PFNGLUNMAPBUFFERARBPROC unmap_buffer = NULL;
GLuint buffer;
int frames = 0;

static void draw_func( void ) {
    frames++;
    unsigned char *pixels = (unsigned char*)map_buffer( GL_PIXEL_UNPACK_BUFFER_ARB, GL_WRITE_ONLY_ARB );
    for (int i=0; i<DIM*DIM; i++) {
        pixels[i*4 + 0] = i % DIM;
        pixels[i*4 + 1] = i / DIM;
        pixels[i*4 + 2] = frames;
        pixels[i*4 + 3] = 255;
    }
    unmap_buffer( GL_PIXEL_UNPACK_BUFFER_ARB );
    glDrawPixels( DIM, DIM, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glFlush();
}

static void at_exit( void ) {
    printf( "%d frames\n", frames );
}

int main( int argc, char **argv ) {
    atexit( at_exit );
    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_SINGLE | GLUT_RGBA );
    glutInitWindowSize( DIM, DIM );
    glutCreateWindow( "own" );
    bind_buffer = (PFNGLBINDBUFFERARBPROC)GET_PROC_ADDRESS( "glBindBuffer" );
    gen_buffers = (PFNGLGENBUFFERSARBPROC)GET_PROC_ADDRESS( "glGenBuffers" );
    buffer_data = (PFNGLBUFFERDATAARBPROC)GET_PROC_ADDRESS( "glBufferData" );
    map_buffer = (PFNGLMAPBUFFERARBPROC)GET_PROC_ADDRESS( "glMapBuffer" );
    unmap_buffer = (PFNGLUNMAPBUFFERARBPROC)GET_PROC_ADDRESS( "glUnmapBuffer" );
    gen_buffers( 1, &buffer );
    bind_buffer( GL_PIXEL_UNPACK_BUFFER_ARB, buffer );
    buffer_data( GL_PIXEL_UNPACK_BUFFER_ARB, DIM * DIM * 4, NULL, GL_DYNAMIC_DRAW_ARB );
    glutDisplayFunc( draw_func );
    glutMainLoop();
}
