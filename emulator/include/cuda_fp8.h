// Floating-point numbers of 8 bits: E4M3 has 4 bits of exponent and no infinity, E5M2 has 5. Numbers are
// rounded once, to nearest, ties to even. NaN becomes 0x7f. Source: CUDA Math API, "FP8 Intrinsics".
#pragma once

#define __CUDA_FP8_H__  // programs test whether CUDA's header is included

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

/// How numbers beyond the largest finite number are converted: __NV_NOSAT to NaN in E4M3 and to infinity in
/// E5M2, __NV_SATFINITE to the largest finite number.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// ----- Conversions. The first number of a pair is in the lower bits.

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
    using namespace cudabook::emulation;
    if (std::isnan(x)) return 0x7f;
    const bool is_e4m3 = kind == __NV_E4M3;
    const __nv_fp8_storage_t bits =
        is_e4m3 ? rounded<E4m3, Rounding::nearest>(x) : rounded<E5m2, Rounding::nearest>(x);
    const __nv_fp8_storage_t largest = is_e4m3 ? E4m3::largest : E5m2::largest;
    if (saturate == __NV_NOSAT || (bits & 0x7f) <= largest) return bits;
    return static_cast<__nv_fp8_storage_t>((bits & 0x80) | largest);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t kind) {
    return __nv_cvt_double_to_fp8(x, saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__half(x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, kind);
}

inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturate, kind) |
                                             __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
    return __nv_cvt_double2_to_fp8x2({x.x, x.y}, saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(x), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(x), saturate, kind);
}

/// The conversion is exact. NaN becomes 0x7fff.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    const auto sign = static_cast<unsigned short>((x & 0x80) << 8);
    const auto magnitude = static_cast<unsigned short>(x & 0x7f);
    if (kind == __NV_E5M2)
        return {static_cast<unsigned short>(magnitude > 0x7c ? 0x7fff : sign | magnitude << 8)};
    if (magnitude == 0x7f) return {0x7fff};
    // As a half, these bits have an exponent that is 8 less.
    const __half of_magnitude =
        256 * cudabook::emulation::half_value(static_cast<std::uint16_t>(magnitude << 7));
    return {static_cast<unsigned short>(sign | __half_as_ushort(of_magnitude))};
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
    return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x,
            __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x};
}

// ----- The types. Their conversions saturate.

namespace cudabook::emulation {

template <__nv_fp8_interpretation_t kind>
struct EightBits {
    __nv_fp8_storage_t __x;

    EightBits() = default;
    explicit EightBits(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}
    explicit EightBits(float x) : EightBits(double{x}) {}
    explicit EightBits(__half x) : EightBits(static_cast<float>(x)) {}
    explicit EightBits(__nv_bfloat16 x) : EightBits(static_cast<float>(x)) {}
    /// The conversion to double is exact for all integers up to the largest finite number.
    template <class T>
    requires std::is_integral_v<T>
    explicit EightBits(T x) : EightBits(static_cast<double>(x)) {}

    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kind); }
    explicit operator __nv_bfloat16() const { return static_cast<float>(*this); }
    explicit operator float() const { return static_cast<__half>(*this); }
    explicit operator double() const { return static_cast<float>(*this); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) explicit operator T() const {
        return static_cast<T>(static_cast<__half>(*this));
    }
};

template <__nv_fp8_interpretation_t kind>
struct alignas(2) TwoOfEightBits {
    __nv_fp8x2_storage_t __x;

    TwoOfEightBits() = default;
    explicit TwoOfEightBits(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
    explicit TwoOfEightBits(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}
    explicit TwoOfEightBits(__half2 x) : TwoOfEightBits(__half22float2(x)) {}
    explicit TwoOfEightBits(__nv_bfloat162 x) : TwoOfEightBits(__bfloat1622float2(x)) {}

    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }
    explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }
};

template <__nv_fp8_interpretation_t kind>
struct alignas(4) FourOfEightBits {
    __nv_fp8x4_storage_t __x;

    FourOfEightBits() = default;
    explicit FourOfEightBits(double4 x)
        : __x(__nv_cvt_double2_to_fp8x2({x.x, x.y}, __NV_SATFINITE, kind) |
              unsigned{__nv_cvt_double2_to_fp8x2({x.z, x.w}, __NV_SATFINITE, kind)} << 16) {}
    explicit FourOfEightBits(float4 x) : FourOfEightBits(double4{x.x, x.y, x.z, x.w}) {}
    explicit FourOfEightBits(__half2 low, __half2 high)
        : FourOfEightBits(float4{low.x, low.y, high.x, high.y}) {}
    explicit FourOfEightBits(__nv_bfloat162 low, __nv_bfloat162 high)
        : FourOfEightBits(float4{low.x, low.y, high.x, high.y}) {}

    explicit operator float4() const {
        const __half2 low = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x), kind);
        const __half2 high = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x >> 16), kind);
        return {low.x, low.y, high.x, high.y};
    }
};

}  // namespace cudabook::emulation

#define CUDABOOK_TYPE(name, Base, kind)              \
    struct name : cudabook::emulation::Base<kind> {  \
        using cudabook::emulation::Base<kind>::Base; \
    };
CUDABOOK_TYPE(__nv_fp8_e4m3, EightBits, __NV_E4M3)
CUDABOOK_TYPE(__nv_fp8_e5m2, EightBits, __NV_E5M2)
CUDABOOK_TYPE(__nv_fp8x2_e4m3, TwoOfEightBits, __NV_E4M3)
CUDABOOK_TYPE(__nv_fp8x2_e5m2, TwoOfEightBits, __NV_E5M2)
CUDABOOK_TYPE(__nv_fp8x4_e4m3, FourOfEightBits, __NV_E4M3)
CUDABOOK_TYPE(__nv_fp8x4_e5m2, FourOfEightBits, __NV_E5M2)
#undef CUDABOOK_TYPE
