// OpenGL interop on the emulated GPU. An OpenGL buffer is mapped memory of the host, and so also the emulated
// GPU's. Textures are not shared: cudaGraphicsGLRegisterImage returns cudaErrorNotSupported, and a window
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

/// Registers a buffer. OpenGL's context must be current, here and wherever the resource is mapped. Errors:
/// cudaErrorInvalidValue if there is no such buffer; cudaErrorUnknown if there is no OpenGL.
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
