// Rounding to TF32, the numbers that the tensor cores multiply. Source: PTX ISA, "cvt".
#pragma once

#include <cstdint>

namespace cudabook::ptx {

/// `value` rounded to the 11 significant bits of TF32: to the nearest number, ties away from zero.
__device__ inline float to_tf32(float value) {
    std::uint32_t bits = 0;
#if __CUDA_ARCH__ >= 800  // kernels that call this function are compiled for all GPUs, but run only on these
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
#endif
    return __uint_as_float(bits);
}

}  // namespace cudabook::ptx
