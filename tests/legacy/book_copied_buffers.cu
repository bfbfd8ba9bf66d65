// An old-style program with a buffer that CUDA and OpenGL share. It paints on the CPU and needs none of CUDA's libraries:
// book_no_cuda.cpp replaces them. With the argument "old" it uses the functions of CUDA 1 and 2.
#include "GL/glut.h"
#include "cuda_gl_interop.h"
#include "../common/gl_helper.h"
#include <stdio.h>
#include <stdlib.h>

#define DIM 128
#define HANDLE_ERROR( call ) if ((call) != cudaSuccess) printf( "%s failed\n", #call )

PFNGLBINDBUFFERARBPROC bind_buffer = NULL;
PFNGLGENBUFFERSARBPROC gen_buffers = NULL;
PFNGLBUFFERDATAARBPROC buffer_data = NULL;
GLuint buffer;
cudaGraphicsResource *resource;
int old = 0;
int frames = 0;

// Paints every other row: the other rows keep the previous frame.
static void draw_func( void ) {
    uchar4 *pixels;
    size_t size = DIM * DIM * 4;
    frames++;
    if (old) {
        HANDLE_ERROR( cudaGLMapBufferObject( (void**)&pixels, buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsMapResources( 1, &resource, 0 ) );
        HANDLE_ERROR( cudaGraphicsResourceGetMappedPointer( (void**)&pixels, &size, resource ) );
    }
    if (size != DIM * DIM * 4) printf( "%d bytes\n", (int)size );
    for (int y=frames%2; y<DIM; y+=2) {
        for (int x=0; x<DIM; x++) {
            pixels[x + y * DIM].x = x;
            pixels[x + y * DIM].y = y;
            pixels[x + y * DIM].z = frames;
            pixels[x + y * DIM].w = 255;
        }
    }
    if (old) {
        HANDLE_ERROR( cudaGLUnmapBufferObject( buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsUnmapResources( 1, &resource, 0 ) );
    }
    glDrawPixels( DIM, DIM, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glutSwapBuffers();
}

static void at_exit( void ) {
    if (old) {
        HANDLE_ERROR( cudaGLUnregisterBufferObject( buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsUnregisterResource( resource ) );
    }
    printf( "unregistered\n" );
}

int main( int argc, char **argv ) {
    old = argc > 1;
    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGBA );
    glutInitWindowSize( DIM, DIM );
    glutCreateWindow( "shared" );
    bind_buffer = (PFNGLBINDBUFFERARBPROC)GET_PROC_ADDRESS( "glBindBuffer" );
    gen_buffers = (PFNGLGENBUFFERSARBPROC)GET_PROC_ADDRESS( "glGenBuffers" );
    buffer_data = (PFNGLBUFFERDATAARBPROC)GET_PROC_ADDRESS( "glBufferData" );
    gen_buffers( 1, &buffer );
    bind_buffer( GL_PIXEL_UNPACK_BUFFER_ARB, buffer );
    buffer_data( GL_PIXEL_UNPACK_BUFFER_ARB, DIM * DIM * 4, NULL, GL_DYNAMIC_DRAW_ARB );
    if (old) {
        HANDLE_ERROR( cudaGLRegisterBufferObject( buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsGLRegisterBuffer( &resource, buffer, cudaGraphicsMapFlagsNone ) );
    }
    atexit( at_exit );
    glutDisplayFunc( draw_func );
    glutMainLoop();
}
