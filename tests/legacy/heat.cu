// CUDA by Example, chapter 7: heat in a room, through textures of one dimension. Three references are bound once; a flag says
// which of two grids is read.
#include "heat.h"

texture<float> tex_sources;
texture<float> tex_in;
texture<float> tex_out;

__global__ void heat_sources( float *grid ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    float source = tex1Dfetch( tex_sources, offset );
    if (source != 0) grid[offset] = source;
}

__global__ void step( float *to, bool from_in ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    int left = x == 0 ? offset : offset - 1;
    int right = x == DIM-1 ? offset : offset + 1;
    int top = y == 0 ? offset : offset - DIM;
    int bottom = y == DIM-1 ? offset : offset + DIM;
    float t, l, c, r, b;
    if (from_in) {
        t = tex1Dfetch( tex_in, top );
        l = tex1Dfetch( tex_in, left );
        c = tex1Dfetch( tex_in, offset );
        r = tex1Dfetch( tex_in, right );
        b = tex1Dfetch( tex_in, bottom );
    } else {
        t = tex1Dfetch( tex_out, top );
        l = tex1Dfetch( tex_out, left );
        c = tex1Dfetch( tex_out, offset );
        r = tex1Dfetch( tex_out, right );
        b = tex1Dfetch( tex_out, bottom );
    }
    to[offset] = c + SPEED * (t + b + l + r - 4 * c);
}

void anim_gpu( DataBlock *d, int ) {
    begin_frame( d );
    dim3 blocks( DIM/16, DIM/16 );
    dim3 threads( 16, 16 );
    volatile bool from_in = true;
    for (int i=0; i<STEPS; i++) {
        float *in = from_in ? d->dev_in : d->dev_out;
        float *out = from_in ? d->dev_out : d->dev_in;
        heat_sources<<<blocks,threads>>>( in );
        step<<<blocks,threads>>>( out, from_in );
        from_in = !from_in;
    }
    end_frame( d, blocks, threads );
}

void anim_exit( DataBlock *d ) {
    print_checksum( d );
    HANDLE_ERROR( cudaUnbindTexture( tex_sources ) );
    HANDLE_ERROR( cudaUnbindTexture( tex_in ) );
    HANDLE_ERROR( cudaUnbindTexture( tex_out ) );
    free_room( d );
}

int main( void ) {
    DataBlock data;
    CPUAnimBitmap bitmap( DIM, DIM, &data );
    make_room( &data, &bitmap );
    HANDLE_ERROR( cudaBindTexture( NULL, tex_sources, data.dev_sources, bitmap.image_size() ) );
    HANDLE_ERROR( cudaBindTexture( NULL, tex_in, data.dev_in, bitmap.image_size() ) );
    HANDLE_ERROR( cudaBindTexture( NULL, tex_out, data.dev_out, bitmap.image_size() ) );
    bitmap.anim_and_exit( (void (*)(void*,int))anim_gpu, (void (*)(void*))anim_exit );
}
