// CUDA by Example, chapter 7: heat in a room, through textures of two dimensions, where the texture unit handles the edges.
#include "heat.h"

texture<float,2> tex_sources;
texture<float,2> tex_in;
texture<float,2> tex_out;

__global__ void heat_sources( float *grid ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    float source = tex2D( tex_sources, x, y );
    if (source != 0) grid[x + y * blockDim.x * gridDim.x] = source;
}

__global__ void step( float *to, bool from_in ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    float t, l, c, r, b;
    if (from_in) {
        t = tex2D( tex_in, x, y - 1 );
        l = tex2D( tex_in, x - 1, y );
        c = tex2D( tex_in, x, y );
        r = tex2D( tex_in, x + 1, y );
        b = tex2D( tex_in, x, y + 1 );
    } else {
        t = tex2D( tex_out, x, y - 1 );
        l = tex2D( tex_out, x - 1, y );
        c = tex2D( tex_out, x, y );
        r = tex2D( tex_out, x + 1, y );
        b = tex2D( tex_out, x, y + 1 );
    }
    to[x + y * blockDim.x * gridDim.x] = c + SPEED * (t + b + l + r - 4 * c);
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
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    size_t pitch = DIM * sizeof(float);
    HANDLE_ERROR( cudaBindTexture2D( NULL, tex_sources, data.dev_sources, desc, DIM, DIM, pitch ) );
    HANDLE_ERROR( cudaBindTexture2D( NULL, tex_in, data.dev_in, desc, DIM, DIM, pitch ) );
    HANDLE_ERROR( cudaBindTexture2D( NULL, tex_out, data.dev_out, desc, DIM, DIM, pitch ) );
    bitmap.anim_and_exit( (void (*)(void*,int))anim_gpu, (void (*)(void*))anim_exit );
}
