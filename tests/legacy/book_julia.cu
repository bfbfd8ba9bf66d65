// An old-style program with a still picture, painted on the CPU. An optional argument is the picture's size.
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 200

static int inside( int x, int y, int dim ) {
    float a = 3.0f * (x - dim / 2) / dim, b = 3.0f * (y - dim / 2) / dim;
    for (int i=0; i<100; i++) {
        float t = a * a - b * b - 0.7f;
        b = 2 * a * b + 0.25f;
        a = t;
        if (a * a + b * b > 100) return 0;
    }
    return 1;
}

static void at_exit( void *data ) {
    printf( "exit %d\n", *(int*)data );
}

int main( int argc, char **argv ) {
    int dim = argc > 1 ? atoi( argv[1] ) : DIM;
    int data = 42;
    CPUBitmap bitmap( dim, dim, &data );
    unsigned char *ptr = bitmap.get_ptr();
    for (int y=0; y<dim; y++) {
        for (int x=0; x<dim; x++) {
            unsigned char *pixel = ptr + (x + y * dim) * 4;
            pixel[0] = 255 * inside( x, y, dim );
            pixel[1] = x;
            pixel[2] = y;
            pixel[3] = 255;
        }
    }
    printf( "%d x %d, %ld bytes\n", bitmap.x, bitmap.y, bitmap.image_size() );
    bitmap.display_and_exit( at_exit );
}
