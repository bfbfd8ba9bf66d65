// CUDA's header for interoperability with OpenGL, with functions that copy a buffer if it cannot be shared.
#if !__has_include(<GL/gl.h>)
#error the headers of OpenGL are missing (Debian: apt-get install libgl-dev)
#endif

#ifndef CUDA_ENABLE_DEPRECATED
#define CUDA_ENABLE_DEPRECATED
#include_next <cuda_gl_interop.h>
#undef CUDA_ENABLE_DEPRECATED
#else
#include_next <cuda_gl_interop.h>
#endif

#if defined(__cplusplus) && (!defined(__CUDA_ARCH__) || defined(CUDABOOK_EMULATION))
#include "../../push_macros.h"

#include "../../copied_buffers.hpp"

#include "../../pop_macros.h"

#define cudaGraphicsGLRegisterBuffer cudabook::book::register_buffer
#define cudaGraphicsUnregisterResource cudabook::book::unregister_resource
#define cudaGraphicsResourceSetMapFlags cudabook::book::set_map_flags
#define cudaGraphicsMapResources cudabook::book::map_resources
#define cudaGraphicsUnmapResources cudabook::book::unmap_resources
#define cudaGraphicsResourceGetMappedPointer cudabook::book::mapped_pointer
#define cudaGLSetGLDevice cudabook::book::set_gl_device
#define cudaGLRegisterBufferObject cudabook::book::register_object
#define cudaGLUnregisterBufferObject cudabook::book::unregister_object
#define cudaGLMapBufferObject cudabook::book::map_object
#define cudaGLUnmapBufferObject cudabook::book::unmap_object
#endif
