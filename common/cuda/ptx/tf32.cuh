// Rounding to TF32, the numbers that the tensor cores multiply. Source: PTX ISA, "cvt".
#pragma once

#include <cstdint>

namespace cudabook::ptx {

/// `value` rounded to the 11 significant bits of TF32: to the nearest number, ties away from zero.
__device__ inline float to_tf32(float value) {
    std::uint32_t bits = 0;
#if __CUDA_ARCH__ >= 800  // a kernel that calls this runs on no other GPU, but is compiled for all
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
#endif
    return __uint_as_float(bits);
}

}  // namespace cudabook::ptx
