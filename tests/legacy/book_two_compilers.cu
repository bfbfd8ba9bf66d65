// An old-style program of two sources: this one is for nvcc, book_two_compilers.cpp for the host compiler.
#include "../common/book.h"
#include "../common/cpu_bitmap.h"
#if __has_include(<cuda_runtime.h>)
#include "../common/gpu_anim.h"
#endif
#include "../common/cpu_anim.h"

void paint( CPUBitmap *bitmap );  // book_two_compilers.cpp
int one_frame( void );

int main( void ) {
    CPUBitmap bitmap( 64, 32 );
    paint( &bitmap );
    printf( "%d\n", one_frame() );
    bitmap.display_and_exit();
}
