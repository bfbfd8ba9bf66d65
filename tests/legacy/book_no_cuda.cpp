// A fake CUDA runtime for book_copied_buffers.cu: it shares no buffers with OpenGL, and its device memory is host memory.
#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>

extern "C" {

cudaError_t cudaGraphicsGLRegisterBuffer( cudaGraphicsResource_t*, unsigned, unsigned ) {
    return cudaErrorOperatingSystem;
}

cudaError_t cudaGLRegisterBufferObject( unsigned ) {
    return cudaErrorOperatingSystem;
}

cudaError_t cudaGetLastError( void ) {
    return cudaSuccess;
}

const char *cudaGetErrorName( cudaError_t ) {
    return "cudaErrorOperatingSystem";
}

cudaError_t cudaMalloc( void **memory, size_t bytes ) {
    return (*memory = malloc( bytes )) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree( void *memory ) {
    free( memory );
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync( void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t ) {
    memcpy( to, from, bytes );
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize( cudaStream_t ) {
    return cudaSuccess;
}

cudaError_t cudaGraphicsUnregisterResource( cudaGraphicsResource_t ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGraphicsMapResources( int, cudaGraphicsResource_t*, cudaStream_t ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGraphicsUnmapResources( int, cudaGraphicsResource_t*, cudaStream_t ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGraphicsResourceGetMappedPointer( void**, size_t*, cudaGraphicsResource_t ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGLMapBufferObject( void**, unsigned ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGLUnmapBufferObject( unsigned ) {
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaGLUnregisterBufferObject( unsigned ) {
    return cudaErrorInvalidResourceHandle;
}

}  // extern "C"
