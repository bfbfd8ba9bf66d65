// OpenGL interop, which the emulated GPU does not have: each function returns cudaErrorNotSupported, and a
// window then copies its frames through host memory. Source: CUDA Runtime API, "OpenGL Interoperability" and
// "Graphics Interoperability".
#pragma once

#include <cstddef>

#include <GL/gl.h>
#include <cuda_runtime_api.h>

#include "common/emulation/device.hpp"

struct cudaGraphicsResource;
using cudaGraphicsResource_t = cudaGraphicsResource*;

constexpr unsigned cudaGraphicsRegisterFlagsNone = 0;
constexpr unsigned cudaGraphicsRegisterFlagsReadOnly = 1;
constexpr unsigned cudaGraphicsRegisterFlagsWriteDiscard = 2;

inline cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, GLuint, GLenum, unsigned) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t*, GLuint, unsigned) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t = nullptr) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t = nullptr) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned,
                                                         unsigned) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
inline cudaError_t cudaGraphicsResourceGetMappedPointer(void**, std::size_t*, cudaGraphicsResource_t) {
    return cudabook::emulation::result(cudaErrorNotSupported);
}
