// The texture and surface references of CUDA 11 and earlier, on top of texture and surface objects: a source
// that declares `texture<float, 2> tex;` compiles and runs unchanged. Include this file first, or let the
// compiler do it:
//
//     nvcc -include .../common/book/texture_reference.h old.cu
//
// docs/old-programs.md lists the differences. This file does nothing in C and with CUDA 11, which has
// references.
#pragma once

#ifdef __cplusplus
#include <cuda_runtime.h>

#if CUDART_VERSION >= 12000

#if __cplusplus < 201703L
#error "texture_reference.h needs C++17: say -std=c++17"
#endif
#if defined(__CUDACC__) && !defined(__NVCC__)
#error "texture_reference.h needs nvcc: another compiler does not give a texture to its kernels as nvcc does"
#endif

#include "texture_calls.h"
#ifdef __CUDACC__
#include "texture_fetches.h"
#endif
#include "removed_calls.h"
#include "removed_fields.h"

#endif
#endif
