// An old-style program that calls GLUT and OpenGL itself.
#define GL_GLEXT_PROTOTYPES
#include "GL/glut.h"
#include "../common/book.h"
#include "../common/gl_helper.h"

#define DIM 128

static unsigned char pixels[DIM*DIM*4];
static GLuint buffer;
static PFNGLBINDBUFFERPROC bind_buffer;
static int frames = 0;

static void draw_func( void ) {
    frames++;
    for (int i=0; i<DIM*DIM; i++) {
        pixels[i*4 + 0] = i % DIM;
        pixels[i*4 + 1] = i / DIM;
        pixels[i*4 + 2] = frames;
        pixels[i*4 + 3] = 255;
    }
    bind_buffer( GL_PIXEL_UNPACK_BUFFER_ARB, buffer );
    glBufferData( GL_PIXEL_UNPACK_BUFFER_ARB, sizeof( pixels ), pixels, GL_DYNAMIC_DRAW_ARB );
    glClearColor( 0.0, 0.0, 0.0, 1.0 );
    glClear( GL_COLOR_BUFFER_BIT );
    glDrawPixels( DIM, DIM, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glutSwapBuffers();
}

static void key_func( unsigned char key, int x, int y ) {
    printf( "key %d at %d %d\n", key, x, y );
    fflush( stdout );
    if (key == 27) {
        glBindBuffer( GL_PIXEL_UNPACK_BUFFER_ARB, 0 );
        glDeleteBuffers( 1, &buffer );
        exit( 0 );
    }
}

static void mouse_func( int button, int state, int x, int y ) {
    printf( "button %d %s at %d %d\n", button, state == GLUT_DOWN ? "down" : "up", x, y );
    fflush( stdout );
}

int main( int argc, char **argv ) {
    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGBA );
    glutInitWindowSize( DIM, DIM );
    glutCreateWindow( "bitmap" );
    bind_buffer = (PFNGLBINDBUFFERPROC)GET_PROC_ADDRESS( "glBindBuffer" );
    glGenBuffers( 1, &buffer );
    glutKeyboardFunc( key_func );
    glutMouseFunc( mouse_func );
    glutDisplayFunc( draw_func );
    glutMainLoop();
}
