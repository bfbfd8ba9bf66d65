// Programs that use Thrust include this header before all others. CCCL's headers are compiled as without
// CUDA. Thrust's device system is its C++ system, whose algorithms run on the host. Source: CCCL, "Thrust":
// "Device system".
#pragma once

#define THRUST_DEVICE_SYSTEM 4  // THRUST_DEVICE_SYSTEM_CPP
#define THRUST_HOST_SYSTEM 1    // THRUST_HOST_SYSTEM_CPP
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_NVTX
#define THRUST_IGNORE_DEPRECATED_CPP_DIALECT

// The headers that are included here set CCCL's configuration for all later headers.
#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __NVCC__
#undef __CUDA_ARCH__
#include <thrust/version.h>
#if THRUST_VERSION < 200200
#error \
    "the emulated GPU needs Thrust 2.2 or newer (pip download nvidia-cuda-cccl; CUDABOOK_CCCL names the folder)"
#endif
#include <thrust/detail/config.h>
#include <nv/target>
// For a real GPU, the headers of Thrust's CUDA system include these.
#include <thrust/sequence.h>
#include <thrust/system/cuda/execution_policy.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")

namespace cudabook::emulation {
void let_host_use_arrays();  // emulator/runtime/arena.hpp
void let_launches_block();   // emulator/runtime/pending_work.hpp
// Runs before the variables of other translation units allocate arrays.
[[gnu::constructor(101), gnu::used]] static void let_thrust_use_arrays() {
    let_host_use_arrays();
    let_launches_block();
}
}  // namespace cudabook::emulation
