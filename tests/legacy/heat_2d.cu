// The sample heat in the old style, in two dimensions: the texture unit handles the edges. Two references, bound again for
// each step, and the grids swapped.
#include "heat.h"

texture<float,2> tex_sources;
texture<float,2> tex_in;

__global__ void heat_sources( float *grid ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    float source = tex2D( tex_sources, x, y );
    if (source != 0) grid[x + y * blockDim.x * gridDim.x] = source;
}

__global__ void step( float *to ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    float t = tex2D( tex_in, x, y - 1 );
    float l = tex2D( tex_in, x - 1, y );
    float c = tex2D( tex_in, x, y );
    float r = tex2D( tex_in, x + 1, y );
    float b = tex2D( tex_in, x, y + 1 );
    to[x + y * blockDim.x * gridDim.x] = c + SPEED * (t + b + l + r - 4 * c);
}

void bind( const texture<float,2> &tex, float *memory ) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    HANDLE_ERROR( cudaBindTexture2D( NULL, tex, memory, desc, DIM, DIM, sizeof(float) * DIM ) );
}

void frame( DataBlock *d, int ) {
    dim3 blocks( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    for (int i=0; i<STEPS; i++) {
        heat_sources<<<blocks,threads>>>( d->dev_in );
        bind( tex_in, d->dev_in );
        step<<<blocks,threads>>>( d->dev_out );
        swap( d->dev_in, d->dev_out );
    }
    paint( d, blocks, threads );
}

void cleanup( DataBlock *d ) {
    print_checksum( d );
    cudaUnbindTexture( tex_sources );
    cudaUnbindTexture( tex_in );
    HANDLE_ERROR( cudaFree( d->dev_in ) );
    HANDLE_ERROR( cudaFree( d->dev_out ) );
    HANDLE_ERROR( cudaFree( d->dev_sources ) );
    HANDLE_ERROR( cudaFree( d->dev_picture ) );
}

int main( void ) {
    DataBlock data;
    CPUAnimBitmap bitmap( DIM, DIM, &data );
    data.bitmap = &bitmap;
    make_room( &data );
    bind( tex_sources, data.dev_sources );
    bitmap.anim_and_exit( (void (*)(void*,int))frame, (void (*)(void*))cleanup );
}
