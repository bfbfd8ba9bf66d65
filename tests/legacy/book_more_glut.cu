// An old-style program that uses GLU and more of GLUT than the books do: each tick of a timer makes a bar longer, and F1
// ends it.
// Macros of <X11/Xlib.h>, which a program may include first.
#define Bool int
#define Status int
#define None 0L
#define Success 0
#define True 1
#define False 0
#define Always 2

#include <GL/freeglut.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 128
#define HEIGHT 96

int ticks = 0;

static void draw_func( void ) {
    glClear( GL_COLOR_BUFFER_BIT );
    glColor3f( 1, 0, 0 );
    glBegin( GL_QUADS );
    glVertex2f( 0, 0 );
    glVertex2f( 4 * ticks, 0 );
    glVertex2f( 4 * ticks, 32 );
    glVertex2f( 0, 32 );
    glEnd();
    glColor3f( 1, 1, 1 );
    glRasterPos2i( 10, 48 );
    for (const char *c = "ticks"; *c; c++) glutBitmapCharacter( GLUT_BITMAP_HELVETICA_18, *c );
    glPushMatrix();
    glScalef( 1, 1, 0.01f );
    glutSolidCube( 16 );
    glPopMatrix();
    glutSwapBuffers();
}

static void reshape_func( int width, int height ) {
    glViewport( 0, 0, width, height );
    glMatrixMode( GL_PROJECTION );
    glLoadIdentity();
    gluOrtho2D( 0, width, 0, height );
    glMatrixMode( GL_MODELVIEW );
}

static void timer_func( int value ) {
    ticks += value;
    glutPostRedisplay();
    glutTimerFunc( 10, timer_func, value );
}

static void special_func( int key, int x, int y ) {
    printf( "special key %d\n", key );
    fflush( stdout );
    if (key == GLUT_KEY_F1) glutLeaveMainLoop();
}

static void menu_func( int entry ) {}

static void close_func( void ) {
    printf( "closed\n" );
}

int main( int argc, char **argv ) {
    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGB );
    glutInitWindowSize( WIDTH, HEIGHT );
    glutInitWindowPosition( 10, 20 );
    glutCreateWindow( "more" );
    glutCreateMenu( menu_func );
    glutAddMenuEntry( "nothing", 1 );
    glutAttachMenu( GLUT_RIGHT_BUTTON );
    glutDisplayFunc( draw_func );
    glutReshapeFunc( reshape_func );
    glutSpecialFunc( special_func );
    glutSpecialUpFunc( NULL );
    glutTimerFunc( 10, timer_func, 1 );
    glutCloseFunc( close_func );
    glutSetOption( GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS );
    printf( "%d x %d\n", glutGet( GLUT_WINDOW_WIDTH ), glutGet( GLUT_WINDOW_HEIGHT ) );
    printf( "pixel buffers: %d\n", glutExtensionSupported( "GL_ARB_pixel_buffer_object" ) );
    fflush( stdout );
    glutMainLoop();
    printf( "the end\n" );
    return 0;
}
