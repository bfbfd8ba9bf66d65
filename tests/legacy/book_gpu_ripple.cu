// An old-style program with an animation in device memory. A frame paints every other row: the other rows keep
// the previous frame.
#include "../common/book.h"
#include "../common/gpu_anim.h"

#define DIM 128

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

void generate_frame( uchar4 *pixels, void*, int ticks ) {
    dim3 grids( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    kernel<<<grids,threads>>>( pixels, ticks );
}

void cleanup( void *data ) {
    HANDLE_ERROR( cudaFree( data ) );
    printf( "freed\n" );
}

int main( void ) {
    void *data;
    HANDLE_ERROR( cudaMalloc( &data, 16 ) );
    GPUAnimBitmap bitmap( DIM, DIM, data );
    HANDLE_ERROR( cudaThreadSynchronize() );
    bitmap.anim_and_exit( generate_frame, cleanup );
}
