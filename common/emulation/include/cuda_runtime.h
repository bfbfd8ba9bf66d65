// CUDA's runtime for a host compiler: what kernels are written with, and the templates of the runtime API. The
// kernels run on the emulated GPU. It gives what the CUDA C++ Programming Guide says; the device code is as that
// for compute capability 9.0.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <cuda_runtime_api.h>

#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_FEAT_SM90_ALL 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__  // nothing, because libstdc++ says __attribute__((__noinline__))
#define __launch_bounds__(...)
#define __grid_constant__
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))

// The blocks of one operating system's thread run one after another, and share its variables. (No constinit: clang
// refuses it for structures.)
#define __shared__ thread_local

#include "common/emulation/block.hpp"
#include "common/emulation/launch.hpp"

#include <device_functions.h>
#include <math_functions.h>
#include <surface_functions.h>
#include <texture_functions.h>

// ----- The runtime API's templates

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
