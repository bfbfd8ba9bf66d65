// An old-style program that prints the devices' properties, including fields that newer runtimes have removed.
#include "../common/book.h"

static int wrong = 0;

void print( const char *what, int value, cudaDeviceAttr attribute, int device ) {
    int expected;
    HANDLE_ERROR( cudaDeviceGetAttribute( &expected, attribute, device ) );
    printf( "%s: %d\n", what, value );
    wrong += value != expected;
}

int main( void ) {
    cudaDeviceProp  prop;
    int count;
    HANDLE_ERROR( cudaGetDeviceCount( &count ) );
    for (int i=0; i< count; i++) {
        HANDLE_ERROR( cudaGetDeviceProperties( &prop, i ) );
        printf( "Name: %s\nCompute capability: %d.%d\n", prop.name, prop.major, prop.minor );
        print( "Clock rate", prop.clockRate, cudaDevAttrClockRate, i );
        print( "Device copy overlap", prop.deviceOverlap, cudaDevAttrGpuOverlap, i );
        print( "Kernel execution timeout", prop.kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, i );
        print( "Compute mode", prop.computeMode, cudaDevAttrComputeMode, i );
        print( "Memory clock rate", prop.memoryClockRate, cudaDevAttrMemoryClockRate, i );
        print( "Single to double", prop.singleToDoublePrecisionPerfRatio,
               cudaDevAttrSingleToDoublePrecisionPerfRatio, i );
        print( "Texels of linear memory", prop.maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth, i );
    }

    int dev;
    memset( &prop, 0, sizeof( cudaDeviceProp ) );
    prop.major = 1;
    prop.minor = 3;
    HANDLE_ERROR( cudaChooseDevice( &dev, &prop ) );
    HANDLE_ERROR( cudaSetDevice( dev ) );

    void *memory[2];
    HANDLE_ERROR( cudaMalloc( &memory[0], 4 ) );
    HANDLE_ERROR( cudaMallocHost( &memory[1], 4 ) );
    for (int i=0; i<2; i++) {
        struct cudaPointerAttributes attributes;
        HANDLE_ERROR( cudaPointerGetAttributes( &attributes, memory[i] ) );
        wrong += attributes.memoryType != (i == 0 ? cudaMemoryTypeDevice : cudaMemoryTypeHost);
    }
    HANDLE_ERROR( cudaFree( memory[0] ) );
    HANDLE_ERROR( cudaFreeHost( memory[1] ) );
    return wrong == 0 ? 0 : 3;
}
