// An old-style program whose kernel paints into OpenGL buffers: with CUDA's current functions or, with the argument "old",
// those of CUDA 1 and 2. A frame paints every other row: the other rows keep the previous frame.
#include "GL/glut.h"
#include "cuda_gl_interop.h"
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 128

PFNGLBINDBUFFERARBPROC bind_buffer = NULL;
PFNGLDELETEBUFFERSARBPROC delete_buffers = NULL;
PFNGLGENBUFFERSARBPROC gen_buffers = NULL;
PFNGLBUFFERDATAARBPROC buffer_data = NULL;

GLuint buffer;
cudaGraphicsResource *resource;
int old = 0;
int frames = 0;

__global__ void kernel( uchar4 *ptr, int ticks ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    if (y % 2 == ticks % 2) {
        ptr[offset].x = x;
        ptr[offset].y = y;
        ptr[offset].z = ticks;
        ptr[offset].w = 255;
    }
}

static void idle_func( void ) {
    uchar4 *pixels;
    size_t size = DIM * DIM * 4;
    if (old) {
        HANDLE_ERROR( cudaGLMapBufferObject( (void**)&pixels, buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsMapResources( 1, &resource, NULL ) );
        HANDLE_ERROR( cudaGraphicsResourceGetMappedPointer( (void**)&pixels, &size, resource ) );
    }
    if (size != DIM * DIM * 4) printf( "%d bytes\n", (int)size );
    dim3 grids( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    kernel<<<grids,threads>>>( pixels, ++frames );
    if (old) {
        HANDLE_ERROR( cudaGLUnmapBufferObject( buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsUnmapResources( 1, &resource, NULL ) );
    }
    glutPostRedisplay();
}

static void draw_func( void ) {
    glDrawPixels( DIM, DIM, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glutSwapBuffers();
}

static void key_func( unsigned char key, int x, int y ) {
    if (key != 27) return;
    if (old) {
        HANDLE_ERROR( cudaGLUnregisterBufferObject( buffer ) );
    } else {
        HANDLE_ERROR( cudaGraphicsUnregisterResource( resource ) );
    }
    bind_buffer( GL_PIXEL_UNPACK_BUFFER_ARB, 0 );
    delete_buffers( 1, &buffer );
    exit( 0 );
}

int main( int argc, char **argv ) {
    old = argc > 1;
    cudaDeviceProp prop;
    int dev;
    memset( &prop, 0, sizeof( cudaDeviceProp ) );
    prop.major = 1;
    HANDLE_ERROR( cudaChooseDevice( &dev, &prop ) );
    HANDLE_ERROR( cudaGLSetGLDevice( dev ) );
    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGBA );
    glutInitWindowSize( DIM, DIM );
    glutCreateWindow( "bitmap" );
    bind_buffer = (PFNGLBINDBUFFERARBPROC)GET_PROC_ADDRESS( "glBindBuffer" );
    delete_buffers = (PFNGLDELETEBUFFERSARBPROC)GET_PROC_ADDRESS( "glDeleteBuffers" );
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
    glutKeyboardFunc( key_func );
    glutDisplayFunc( draw_func );
    glutIdleFunc( idle_func );
    idle_func();
    glutMainLoop();
}
