// What heat.cu, heat_2d.cu and book_heat.cu share: the heated room of CUDA by Example, chapter 7, what happens before and
// after the steps of a frame, and the checksum of the grid.
#pragma once

#include "../common/book.h"
#include "../common/cpu_anim.h"

#define DIM 1024
#define STEPS 90
#define SPEED 0.25f
#define WARM 1.0f
#define COLD 0.0001f

struct DataBlock {
    unsigned char *dev_bitmap;
    float *dev_in;
    float *dev_out;
    float *dev_sources;
    CPUAnimBitmap *bitmap;
    cudaEvent_t start, stop;
    float total_ms;
    int frames;
};

static void fill( float *grid, int x0, int x1, int y0, int y1, float temperature ) {
    for (int y=y0; y<y1; y++)
        for (int x=x0; x<x1; x++)
            grid[x + y*DIM] = temperature;
}

static float *upload( const float *grid ) {
    float *memory;
    HANDLE_ERROR( cudaMalloc( (void**)&memory, DIM*DIM*sizeof(float) ) );
    HANDLE_ERROR( cudaMemcpy( memory, grid, DIM*DIM*sizeof(float), cudaMemcpyHostToDevice ) );
    return memory;
}

/// Allocates the grids and the events.
static void make_room( DataBlock *d, CPUAnimBitmap *bitmap ) {
    d->bitmap = bitmap;
    d->total_ms = 0;
    d->frames = 0;
    HANDLE_ERROR( cudaEventCreate( &d->start ) );
    HANDLE_ERROR( cudaEventCreate( &d->stop ) );
    HANDLE_ERROR( cudaMalloc( (void**)&d->dev_bitmap, bitmap->image_size() ) );
    float *grid = (float*)calloc( DIM*DIM, sizeof(float) );
    HANDLE_NULL( grid );
    fill( grid, 301, 600, 311, 601, WARM );
    fill( grid, 100, 101, 100, 101, (WARM + COLD) / 2 );
    fill( grid, 100, 101, 700, 701, COLD );
    fill( grid, 300, 301, 300, 301, COLD );
    fill( grid, 700, 701, 200, 201, COLD );
    fill( grid, 400, 500, 800, 900, COLD );
    d->dev_sources = upload( grid );
    fill( grid, 0, 200, 800, DIM, WARM );
    d->dev_in = upload( grid );
    d->dev_out = upload( grid );
    free( grid );
}

static void begin_frame( DataBlock *d ) {
    HANDLE_ERROR( cudaEventRecord( d->start, 0 ) );
}

/// Paints the picture of dev_in, and prints how long a frame takes.
static void end_frame( DataBlock *d, dim3 blocks, dim3 threads ) {
    float_to_color<<<blocks,threads>>>( d->dev_bitmap, d->dev_in );
    HANDLE_ERROR( cudaMemcpy( d->bitmap->get_ptr(), d->dev_bitmap, d->bitmap->image_size(), cudaMemcpyDeviceToHost ) );
    HANDLE_ERROR( cudaEventRecord( d->stop, 0 ) );
    HANDLE_ERROR( cudaEventSynchronize( d->stop ) );
    float ms;
    HANDLE_ERROR( cudaEventElapsedTime( &ms, d->start, d->stop ) );
    d->total_ms += ms;
    d->frames++;
    printf( "Average Time per frame:  %3.1f ms\n", d->total_ms / d->frames );
}

/// Prints zlib's CRC-32 of dev_in, as the sample heat does; on stderr, because the book's programs do not.
static void print_checksum( const DataBlock *d ) {
    unsigned char *bytes = (unsigned char*)malloc( DIM*DIM*sizeof(float) );
    HANDLE_NULL( bytes );
    HANDLE_ERROR( cudaMemcpy( bytes, d->dev_in, DIM*DIM*sizeof(float), cudaMemcpyDeviceToHost ) );
    unsigned crc = 0xffffffffu;
    for (size_t i=0; i<DIM*DIM*sizeof(float); i++) {
        crc ^= bytes[i];
        for (int bit=0; bit<8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    fprintf( stderr, "Checksum of the grid: %08x\n", ~crc );
    free( bytes );
}

static void free_room( DataBlock *d ) {
    HANDLE_ERROR( cudaFree( d->dev_in ) );
    HANDLE_ERROR( cudaFree( d->dev_out ) );
    HANDLE_ERROR( cudaFree( d->dev_sources ) );
    HANDLE_ERROR( cudaFree( d->dev_bitmap ) );
    HANDLE_ERROR( cudaEventDestroy( d->start ) );
    HANDLE_ERROR( cudaEventDestroy( d->stop ) );
}
