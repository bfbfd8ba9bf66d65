// OpenGL interop on the emulated GPU. A mapped OpenGL buffer is memory of the host, which the emulated GPU
// can use. Textures are not shared: cudaGraphicsGLRegisterImage returns cudaErrorNotSupported, and a window
// then copies its frames through host memory. Sources: CUDA Runtime API, "OpenGL Interoperability" and, for
// the functions of CUDA 1 and 2, "OpenGL Interoperability [DEPRECATED]".
#pragma once

#include <GL/gl.h>
#include <cuda_runtime_api.h>

enum cudaGLMapFlags {
    cudaGLMapFlagsNone = 0,
    cudaGLMapFlagsReadOnly = 1,
    cudaGLMapFlagsWriteDiscard = 2,
};

/// Registers a buffer. In this call and in calls that map the resource, OpenGL's context must be current.
/// Errors: cudaErrorInvalidValue if there is no such buffer; cudaErrorUnknown if there is no OpenGL.
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, GLuint buffer, unsigned flags);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t* resource, GLuint image, GLenum target,
                                        unsigned flags);

// The functions of CUDA 1 and 2.

cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags);
cudaError_t cudaGLMapBufferObject(void** memory, GLuint buffer);
cudaError_t cudaGLMapBufferObjectAsync(void** memory, GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
