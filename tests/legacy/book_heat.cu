// CUDA by Example, chapter 7: heat in a room, through global memory. heat.cu and heat_2d.cu read it through textures.
#include "heat.h"

__global__ void heat_sources( float *grid, const float *sources ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    if (sources[offset] != 0) grid[offset] = sources[offset];
}

__global__ void step( float *to, const float *from ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    int left = x == 0 ? offset : offset - 1;
    int right = x == DIM-1 ? offset : offset + 1;
    int top = y == 0 ? offset : offset - DIM;
    int bottom = y == DIM-1 ? offset : offset + DIM;
    float c = from[offset];
    to[offset] = c + SPEED * (from[top] + from[bottom] + from[left] + from[right] - 4 * c);
}

void anim_gpu( DataBlock *d, int ) {
    begin_frame( d );
    dim3 blocks( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    for (int i=0; i<STEPS; i++) {
        heat_sources<<<blocks,threads>>>( d->dev_in, d->dev_sources );
        step<<<blocks,threads>>>( d->dev_out, d->dev_in );
        swap( d->dev_in, d->dev_out );
    }
    end_frame( d, blocks, threads );
}

void anim_exit( DataBlock *d ) {
    print_checksum( d );
    free_room( d );
}

int main( void ) {
    DataBlock data;
    CPUAnimBitmap bitmap( DIM, DIM, &data );
    make_room( &data, &bitmap );
    bitmap.anim_and_exit( (void (*)(void*,int))anim_gpu, (void (*)(void*))anim_exit );
}
