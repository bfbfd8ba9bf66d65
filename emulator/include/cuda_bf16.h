// Floating-point numbers of 16 bits with 8 bits of precision: the upper half of a float. A NaN converted to
// float becomes 0x7fffffff. Source: CUDA Math API, "Bfloat16 Precision Intrinsics".
#pragma once

#define __CUDA_BF16_H__  // programs test whether CUDA's header is included

#include <cuda_fp16.h>

#include "emulator/numbers/sixteen_bits.hpp"

template <>
struct cudabook::emulation::SixteenBits<__nv_bfloat16> {
    using Format = Bfloat16;
    static float value(std::uint16_t bits) {
        return std::bit_cast<float>((bits & 0x7fff) > 0x7f80 ? 0x7fffffff : std::uint32_t{bits} << 16);
    }
};

#define CUDABOOK_NUMBER __nv_bfloat16
#define CUDABOOK_PAIR __nv_bfloat162
#define CUDABOOK_RAW __nv_bfloat16_raw
#define CUDABOOK_RAW_PAIR __nv_bfloat162_raw
#define CUDABOOK_OTHER_NUMBER __half
#define CUDABOOK_NAMED(before, after) before##bfloat16##after
#include "emulator/numbers/sixteen_bits.inl"
#undef CUDABOOK_NUMBER
#undef CUDABOOK_PAIR
#undef CUDABOOK_RAW
#undef CUDABOOK_RAW_PAIR
#undef CUDABOOK_OTHER_NUMBER
#undef CUDABOOK_NAMED

inline __nv_bfloat16::__nv_bfloat16(double value)
    : __nv_bfloat16(cudabook::emulation::narrowed<__nv_bfloat16>(value)) {}
inline __nv_bfloat16::__nv_bfloat16(__half other) : __nv_bfloat16(static_cast<float>(other)) {}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
inline __half::__half(__nv_bfloat16 other) : __half(static_cast<float>(other)) {}

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
