// 16-bit floating-point numbers. Each operation is rounded once, to nearest, ties to even. A NaN from an
// operation is 0x7fff, a NaN converted from half to float is 0x7fffffff, and a NaN converted from double to
// half keeps its upper bits. Source: CUDA Math API, "Half Precision Intrinsics".
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <vector_types.h>

#include "emulator/engine/warp_functions.hpp"
#include "emulator/textures/conversions.hpp"

struct __half_raw {
    unsigned short x;
};

class alignas(2) __half {
  public:
    __half() = default;
    __half(__half_raw raw) : bits_(raw.x) {}
    template <class T>
    requires std::is_arithmetic_v<T> __half(T value)
        : bits_(cudabook::emulation::half_bits(static_cast<double>(value))) {}

    __half(double value) : bits_(cudabook::emulation::half_bits_of_double(value)) {}

    operator __half_raw() const { return {bits_}; }
    operator float() const { return cudabook::emulation::half_value(bits_); }

  private:
    std::uint16_t bits_;
};
using half = __half;

struct alignas(4) __half2 {
    __half x, y;
};
using half2 = __half2;

// ----- Conversions

inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline unsigned short __half_as_ushort(__half value) { return static_cast<__half_raw>(value).x; }
inline __half __short_as_half(short bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
inline short __half_as_short(__half value) { return static_cast<short>(__half_as_ushort(value)); }
inline __half __float2half(float value) { return value; }
inline __half __float2half_rn(float value) { return value; }
inline __half __double2half(double value) { return value; }
inline float __half2float(__half value) { return value; }
inline __half __int2half_rn(int value) { return value; }
inline __half __uint2half_rn(unsigned value) { return value; }
inline int __half2int_rn(__half value) {
    return cudabook::emulation::to_integer<int>(std::nearbyint(static_cast<float>(value)));
}
inline int __half2int_rz(__half value) {
    return cudabook::emulation::to_integer<int>(std::trunc(static_cast<float>(value)));
}

// ----- Comparisons and classes

inline bool __hisnan(__half x) { return (__half_as_ushort(x) & 0x7fff) > 0x7c00; }
inline int __hisinf(__half x) {
    return (__half_as_ushort(x) & 0x7fff) != 0x7c00 ? 0 : (__half_as_ushort(x) & 0x8000) != 0 ? -1 : 1;
}
inline bool __heq(__half x, __half y) { return static_cast<float>(x) == static_cast<float>(y); }
inline bool __hne(__half x, __half y) { return static_cast<float>(x) < y || static_cast<float>(x) > y; }
inline bool __hlt(__half x, __half y) { return static_cast<float>(x) < static_cast<float>(y); }
inline bool __hle(__half x, __half y) { return static_cast<float>(x) <= static_cast<float>(y); }
inline bool __hgt(__half x, __half y) { return static_cast<float>(x) > static_cast<float>(y); }
inline bool __hge(__half x, __half y) { return static_cast<float>(x) >= static_cast<float>(y); }

// ----- Arithmetic. A sum, product or quotient of halves may be rounded to a float first: rounding that to a
// half gives the result of a single rounding.

inline __half __hadd(__half x, __half y) { return static_cast<float>(x) + static_cast<float>(y); }
inline __half __hsub(__half x, __half y) { return static_cast<float>(x) - static_cast<float>(y); }
inline __half __hmul(__half x, __half y) { return static_cast<float>(x) * static_cast<float>(y); }
inline __half __hdiv(__half x, __half y) { return static_cast<float>(x) / static_cast<float>(y); }
inline __half __hfma(__half x, __half y, __half z) {
    return __half_raw{cudabook::emulation::half_bits(cudabook::emulation::fma_to_odd(
        static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)))};
}
inline __half __hneg(__half x) {
    return __ushort_as_half(static_cast<unsigned short>(__half_as_ushort(x) ^ 0x8000));
}
inline __half __habs(__half x) {
    return __ushort_as_half(static_cast<unsigned short>(__half_as_ushort(x) & 0x7fff));
}
inline __half __hmin(__half x, __half y) { return __hisnan(x) || __hlt(y, x) ? y : x; }
inline __half __hmax(__half x, __half y) { return __hisnan(x) || __hgt(y, x) ? y : x; }
inline __half hsqrt(__half x) { return std::sqrt(static_cast<float>(x)); }
inline __half hexp(__half x) { return std::exp(static_cast<float>(x)); }
inline __half hlog(__half x) { return std::log(static_cast<float>(x)); }
inline __half hfloor(__half x) { return std::floor(static_cast<float>(x)); }
inline __half hceil(__half x) { return std::ceil(static_cast<float>(x)); }
inline __half htrunc(__half x) { return std::trunc(static_cast<float>(x)); }
inline __half hrint(__half x) { return std::nearbyint(static_cast<float>(x)); }

inline __half operator+(__half x, __half y) { return __hadd(x, y); }
inline __half operator-(__half x, __half y) { return __hsub(x, y); }
inline __half operator*(__half x, __half y) { return __hmul(x, y); }
inline __half operator/(__half x, __half y) { return __hdiv(x, y); }
inline __half operator-(__half x) { return __hneg(x); }
inline __half& operator+=(__half& x, __half y) { return x = x + y; }
inline __half& operator-=(__half& x, __half y) { return x = x - y; }
inline __half& operator*=(__half& x, __half y) { return x = x * y; }
inline __half& operator/=(__half& x, __half y) { return x = x / y; }
inline bool operator==(__half x, __half y) { return __heq(x, y); }
inline bool operator!=(__half x, __half y) { return !__heq(x, y); }
inline bool operator<(__half x, __half y) { return __hlt(x, y); }
inline bool operator<=(__half x, __half y) { return __hle(x, y); }
inline bool operator>(__half x, __half y) { return __hgt(x, y); }
inline bool operator>=(__half x, __half y) { return __hge(x, y); }

// ----- Pairs

inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 pair) { return {pair.x, pair.y}; }
inline float2 __half22float2(__half2 pair) { return {pair.x, pair.y}; }
inline __half __low2half(__half2 pair) { return pair.x; }
inline __half __high2half(__half2 pair) { return pair.y; }
inline float __low2float(__half2 pair) { return pair.x; }
inline float __high2float(__half2 pair) { return pair.y; }
inline __half2 __hadd2(__half2 x, __half2 y) { return {x.x + y.x, x.y + y.y}; }
inline __half2 __hsub2(__half2 x, __half2 y) { return {x.x - y.x, x.y - y.y}; }
inline __half2 __hmul2(__half2 x, __half2 y) { return {x.x * y.x, x.y * y.y}; }
inline __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
inline __half2 __hneg2(__half2 x) { return {-x.x, -x.y}; }
inline __half2 operator+(__half2 x, __half2 y) { return __hadd2(x, y); }
inline __half2 operator-(__half2 x, __half2 y) { return __hsub2(x, y); }
inline __half2 operator*(__half2 x, __half2 y) { return __hmul2(x, y); }

// ----- Shuffles

inline __half __shfl_sync(unsigned mask, __half value, int lane, int width = warpSize) {
    return __ushort_as_half(
        static_cast<unsigned short>(cudabook::emulation::shuffle<cudabook::emulation::Shuffle::to_lane>(
            mask, unsigned{__half_as_ushort(value)}, static_cast<unsigned>(lane), width, "__shfl_sync")));
}
inline __half __shfl_up_sync(unsigned mask, __half value, unsigned delta, int width = warpSize) {
    return __ushort_as_half(
        static_cast<unsigned short>(cudabook::emulation::shuffle<cudabook::emulation::Shuffle::up>(
            mask, unsigned{__half_as_ushort(value)}, delta, width, "__shfl_up_sync")));
}
inline __half __shfl_down_sync(unsigned mask, __half value, unsigned delta, int width = warpSize) {
    return __ushort_as_half(
        static_cast<unsigned short>(cudabook::emulation::shuffle<cudabook::emulation::Shuffle::down>(
            mask, unsigned{__half_as_ushort(value)}, delta, width, "__shfl_down_sync")));
}
inline __half __shfl_xor_sync(unsigned mask, __half value, int lane_mask, int width = warpSize) {
    return __ushort_as_half(
        static_cast<unsigned short>(cudabook::emulation::shuffle<cudabook::emulation::Shuffle::exclusive_or>(
            mask, unsigned{__half_as_ushort(value)}, static_cast<unsigned>(lane_mask), width,
            "__shfl_xor_sync")));
}
