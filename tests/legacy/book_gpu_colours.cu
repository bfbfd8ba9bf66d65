// An old-style program that colours temperatures on the GPU, with both kernels, and shows them: x/DIM in each row.
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 256

__global__ void temperatures( float *out ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    out[x + y * blockDim.x * gridDim.x] = (float)x / DIM;
}

int main( void ) {
    CPUBitmap bitmap( DIM, DIM );
    float *t;
    unsigned char *bytes;
    uchar4 *pixels;
    HANDLE_ERROR( cudaMalloc( (void**)&t, DIM * DIM * sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&bytes, bitmap.image_size() ) );
    HANDLE_ERROR( cudaMalloc( (void**)&pixels, bitmap.image_size() ) );
    dim3 blocks( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    temperatures<<<blocks,threads>>>( t );
    float_to_color<<<blocks,threads>>>( bytes, t );
    float_to_color<<<blocks,threads>>>( pixels, t );
    unsigned char *other = (unsigned char*)malloc( bitmap.image_size() );
    HANDLE_NULL( other );
    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), bytes, bitmap.image_size(), cudaMemcpyDeviceToHost ) );
    HANDLE_ERROR( cudaMemcpy( other, pixels, bitmap.image_size(), cudaMemcpyDeviceToHost ) );
    printf( "%s\n", memcmp( other, bitmap.get_ptr(), bitmap.image_size() ) == 0 ? "same" : "different" );
    HANDLE_ERROR( cudaThreadExit() );
    bitmap.display_and_exit();
}
