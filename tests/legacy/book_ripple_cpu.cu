// An old-style program with an animation: it paints on the CPU, and prints the arguments of click_drag()'s callback.
// Arguments: "exit N" ends it in frame N, with status 5, from within the frame.
#define N 10
#define SIZE (64*1024)
#define INF 2e10f
#define rnd( x ) (x * rand() / RAND_MAX)
#define imin(a,b) (a<b?a:b)
#define PI 3.1415926535897932f

#include "book.h"
#include "common/cpu_anim.h"

#define WIDTH 96
#define HEIGHT 64

struct DataBlock {
    CPUAnimBitmap *bitmap;
    int end;
    int frames;
};

void generate_frame( DataBlock *d, int ticks ) {
    if (ticks == d->end) exit( 5 );
    unsigned char *ptr = d->bitmap->get_ptr();
    for (int i=0; i<WIDTH*HEIGHT; i++) {
        ptr[i*4 + 0] = i % WIDTH + ticks;
        ptr[i*4 + 1] = i / WIDTH;
        ptr[i*4 + 2] = ticks;
        ptr[i*4 + 3] = 255;
    }
    d->frames = ticks;
}

void dragged( void *, int x0, int y0, int x1, int y1 ) {
    printf( "drag %d %d %d %d\n", x0, y0, x1, y1 );
    fflush( stdout );
    fflush( stdout );
}

void cleanup( DataBlock *d ) {
    printf( "%d frames\n", d->frames );
    memset( d->bitmap->pixels, 0, d->bitmap->image_size() );
}

int main( int argc, char **argv ) {
    DataBlock data;
    data.end = argc > 2 ? atoi( argv[2] ) : -1;
    data.frames = 0;
    CPUAnimBitmap bitmap( WIDTH, HEIGHT, &data );
    data.bitmap = &bitmap;
    bitmap.click_drag( dragged );
    bitmap.anim_and_exit( (void (*)(void*,int))generate_frame, (void (*)(void*))cleanup );
}
