// Floating-point numbers of 16 bits with 11 bits of precision. A NaN converted from half to float becomes
// 0x7fffffff, and a NaN converted from double to half keeps its upper bits. Source: CUDA Math API, "Half
// Precision Intrinsics".
#pragma once

#define __CUDA_FP16_H__  // programs test whether CUDA's header is included

#include "emulator/numbers/sixteen_bits.hpp"

class __half;
class __nv_bfloat16;

template <>
struct cudabook::emulation::SixteenBits<__half> {
    using Format = Binary16;
    static float value(std::uint16_t bits) { return half_value(bits); }
};

#define CUDABOOK_NUMBER __half
#define CUDABOOK_PAIR __half2
#define CUDABOOK_RAW __half_raw
#define CUDABOOK_RAW_PAIR __half2_raw
#define CUDABOOK_OTHER_NUMBER __nv_bfloat16
#define CUDABOOK_NAMED(before, after) before##half##after
#include "emulator/numbers/sixteen_bits.inl"
#undef CUDABOOK_NUMBER
#undef CUDABOOK_PAIR
#undef CUDABOOK_RAW
#undef CUDABOOK_RAW_PAIR
#undef CUDABOOK_OTHER_NUMBER
#undef CUDABOOK_NAMED

inline __half::__half(double value) : bits_(cudabook::emulation::half_bits_of_double(value)) {}
inline __half2 __half2half2(__half x) { return {x, x}; }

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
