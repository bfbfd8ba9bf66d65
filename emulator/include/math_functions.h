// The mathematical functions of device code that the C library does not have. Sources: CUDA Math API; CUDA
// C++ Programming Guide, "Mathematical Functions". Functions with a rounding in their name (__fmaf_rn) round
// correctly, as on a GPU. The other functions, and the C library's (sinf, expf, ...), are the host's: more
// accurate than a GPU's, and not the same bits.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "emulator/numbers/directed.hpp"
#include "emulator/numbers/special_functions.hpp"
#include "emulator/textures/conversions.hpp"

// ----- Minimum and maximum. Different types are converted as for +. The result for a number and a NaN is
// the number, and -0 is less than +0.

namespace cudabook::emulation {

template <class A, class B>
concept BothArithmetic = std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;

template <class T>
bool is_less(T a, T b) {
    if constexpr (std::floating_point<T>)
        if (a == b) return std::signbit(a) && !std::signbit(b);
    return a < b;
}
template <class T>
bool is_nan(T value) {
    return value != value;
}

}  // namespace cudabook::emulation

template <class A, class B>
requires cudabook::emulation::BothArithmetic<A, B>
auto min(A a, B b) {
    using T = decltype(a + b);
    const auto x = static_cast<T>(a);
    const auto y = static_cast<T>(b);
    return cudabook::emulation::is_less(y, x) || cudabook::emulation::is_nan(x) ? y : x;
}
template <class A, class B>
requires cudabook::emulation::BothArithmetic<A, B>
auto max(A a, B b) {
    using T = decltype(a + b);
    const auto x = static_cast<T>(a);
    const auto y = static_cast<T>(b);
    return cudabook::emulation::is_less(x, y) || cudabook::emulation::is_nan(x) ? y : x;
}

// ----- Single operations, which no compiler fuses with other operations. The last letter of a name says
// how the operation rounds: n to nearest, z towards zero, d down, u up.

inline float __fadd_rn(float x, float y) {
    return cudabook::emulation::unfused(cudabook::emulation::unfused(x) + cudabook::emulation::unfused(y));
}
inline float __fsub_rn(float x, float y) {
    return cudabook::emulation::unfused(cudabook::emulation::unfused(x) - cudabook::emulation::unfused(y));
}
inline float __fmul_rn(float x, float y) { return cudabook::emulation::unfused(x * y); }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline double __dadd_rn(double x, double y) {
    return cudabook::emulation::unfused(cudabook::emulation::unfused(x) + cudabook::emulation::unfused(y));
}
inline double __dsub_rn(double x, double y) {
    return cudabook::emulation::unfused(cudabook::emulation::unfused(x) - cudabook::emulation::unfused(y));
}
inline double __dmul_rn(double x, double y) { return cudabook::emulation::unfused(x * y); }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline float __frsqrt_rn(float x) { return cudabook::emulation::reciprocal_square_root(x); }
inline float __fmaf_ieee_rn(float x, float y, float z) { return __fmaf_rn(x, y, z); }

#define CUDABOOK_DIRECTED_OF(T, prefix, fma, letter, rounding)                                             \
    inline T __##prefix##add_r##letter(T x, T y) { return cudabook::emulation::add<rounding>(x, y); }      \
    inline T __##prefix##sub_r##letter(T x, T y) { return cudabook::emulation::add<rounding>(x, -y); }     \
    inline T __##prefix##mul_r##letter(T x, T y) { return cudabook::emulation::multiply<rounding>(x, y); } \
    inline T __##prefix##div_r##letter(T x, T y) { return cudabook::emulation::divide<rounding>(x, y); }   \
    inline T __##prefix##rcp_r##letter(T x) { return cudabook::emulation::divide<rounding>(T{1}, x); }     \
    inline T __##prefix##sqrt_r##letter(T x) { return cudabook::emulation::square_root<rounding>(x); }     \
    inline T __##fma##_r##letter(T x, T y, T z) {                                                          \
        return cudabook::emulation::multiply_add<rounding>(x, y, z);                                       \
    }
#define CUDABOOK_DIRECTED(letter, rounding)                          \
    CUDABOOK_DIRECTED_OF(float, f, fmaf, letter, rounding)           \
    CUDABOOK_DIRECTED_OF(double, d, fma, letter, rounding)           \
    inline float __fmaf_ieee_r##letter(float x, float y, float z) {  \
        return cudabook::emulation::multiply_add<rounding>(x, y, z); \
    }
CUDABOOK_DIRECTED(z, cudabook::emulation::Rounding::zero)
CUDABOOK_DIRECTED(d, cudabook::emulation::Rounding::down)
CUDABOOK_DIRECTED(u, cudabook::emulation::Rounding::up)
#undef CUDABOOK_DIRECTED
#undef CUDABOOK_DIRECTED_OF

/// Clamps x to 0 ... 1. The result is 0 for NaN.
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

// ----- Approximate functions

// --predict recognizes these functions by their names, so they are not inlined.
#if defined(CUDABOOK_COUNTED) && __has_attribute(no_sanitize_coverage)
#define CUDABOOK_NAMED [[gnu::noinline]] __attribute__((no_sanitize_coverage))
#else
#define CUDABOOK_NAMED
#endif

inline float rsqrtf(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(1 / std::cbrt(static_cast<double>(x))); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
CUDABOOK_NAMED inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return __fdividef(x, y); }
CUDABOOK_NAMED inline float __sinf(float x) { return ::sinf(x); }
CUDABOOK_NAMED inline float __cosf(float x) { return ::cosf(x); }
CUDABOOK_NAMED inline float __tanf(float x) { return ::tanf(x); }
inline void __sincosf(float x, float* sine, float* cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
CUDABOOK_NAMED inline float __expf(float x) { return ::expf(x); }
CUDABOOK_NAMED inline float __exp10f(float x) { return ::powf(10.0F, x); }
CUDABOOK_NAMED inline float __logf(float x) { return ::logf(x); }
CUDABOOK_NAMED inline float __log2f(float x) { return ::log2f(x); }
CUDABOOK_NAMED inline float __log10f(float x) { return ::log10f(x); }
CUDABOOK_NAMED inline float __powf(float x, float y) { return ::powf(x, y); }
CUDABOOK_NAMED inline float __tanhf(float x) { return ::tanhf(x); }
#undef CUDABOOK_NAMED

namespace cudabook::emulation {

/// Returns x - 2 n, without rounding, for the integer n that makes its magnitude smallest. So the sine and
/// the cosine of pi x are exactly 0 where they should be.
template <class T>
T half_turns(T x) {
    return std::remainder(x, T{2});
}

}  // namespace cudabook::emulation

inline double sinpi(double x) {
    const double turns = cudabook::emulation::half_turns(x);
    const double folded = turns > 0.5 ? 1 - turns : turns < -0.5 ? -1 - turns : turns;
    return std::sin(folded * std::numbers::pi);
}
inline double cospi(double x) { return sinpi(0.5 - std::abs(cudabook::emulation::half_turns(x))); }
inline void sincospi(double x, double* sine, double* cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}

// If x is a function's only parameter, CUDA has an overload of the function for float.
#define CUDABOOK_OF_BOTH(name, expression)                                   \
    inline double name(double x) { return static_cast<double>(expression); } \
    inline float name##f(float x) { return static_cast<float>(expression); } \
    inline float name(float x) { return name##f(x); }
CUDABOOK_OF_BOTH(erfinv, cudabook::emulation::inverse_erf(x))
CUDABOOK_OF_BOTH(erfcinv, cudabook::emulation::inverse_erfc(x))
CUDABOOK_OF_BOTH(erfcx, cudabook::emulation::scaled_erfc(x))
CUDABOOK_OF_BOTH(normcdf, std::erfc(-x / std::numbers::sqrt2_v<long double>) / 2)
CUDABOOK_OF_BOTH(normcdfinv, -std::numbers::sqrt2_v<long double>* cudabook::emulation::inverse_erfc(2.0L * x))
CUDABOOK_OF_BOTH(cyl_bessel_i0, cudabook::emulation::modified_bessel(0, x))
CUDABOOK_OF_BOTH(cyl_bessel_i1, cudabook::emulation::modified_bessel(1, x))
#undef CUDABOOK_OF_BOTH

// The lengths of vectors and, for names with r, their reciprocals. The length is infinite if a part is
// infinite, even if another part is NaN.
#define CUDABOOK_LENGTHS(T, f)                                                                               \
    inline T norm3d##f(T a, T b, T c) {                                                                      \
        return static_cast<T>(cudabook::emulation::length_of_vector(a, b, c));                               \
    }                                                                                                        \
    inline T norm4d##f(T a, T b, T c, T d) {                                                                 \
        return static_cast<T>(cudabook::emulation::length_of_vector(a, b, c, d));                            \
    }                                                                                                        \
    inline T norm##f(int dimensions, const T* parts) {                                                       \
        return static_cast<T>(cudabook::emulation::length_of_vector(dimensions, parts));                     \
    }                                                                                                        \
    inline T rhypot##f(T a, T b) { return static_cast<T>(1 / cudabook::emulation::length_of_vector(a, b)); } \
    inline T rnorm3d##f(T a, T b, T c) {                                                                     \
        return static_cast<T>(1 / cudabook::emulation::length_of_vector(a, b, c));                           \
    }                                                                                                        \
    inline T rnorm4d##f(T a, T b, T c, T d) {                                                                \
        return static_cast<T>(1 / cudabook::emulation::length_of_vector(a, b, c, d));                        \
    }                                                                                                        \
    inline T rnorm##f(int dimensions, const T* parts) {                                                      \
        return static_cast<T>(1 / cudabook::emulation::length_of_vector(dimensions, parts));                 \
    }
CUDABOOK_LENGTHS(double, )
CUDABOOK_LENGTHS(float, f)
#undef CUDABOOK_LENGTHS

inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
inline void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
inline float exp10(float x) { return exp10f(x); }
inline float j0(float x) { return j0f(x); }
inline float j1(float x) { return j1f(x); }
inline float jn(int n, float x) { return jnf(n, x); }
inline float y0(float x) { return y0f(x); }
inline float y1(float x) { return y1f(x); }
inline float yn(int n, float x) { return ynf(n, x); }
inline float fdivide(float x, float y) { return fdividef(x, y); }

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// ----- Conversions: n rounds to nearest, z towards zero, d down, u up. A value outside the range of an
// integer type gives the nearest number in the range. For NaN see to_integer().

#define CUDABOOK_ROUNDED_TO(name, To, From, letter, rounded) \
    inline To __##name##_r##letter(From x) { return cudabook::emulation::to_integer<To>(rounded(x)); }
#define CUDABOOK_TO_INTEGER(name, To, From)                \
    CUDABOOK_ROUNDED_TO(name, To, From, n, std::nearbyint) \
    CUDABOOK_ROUNDED_TO(name, To, From, z, std::trunc)     \
    CUDABOOK_ROUNDED_TO(name, To, From, d, std::floor)     \
    CUDABOOK_ROUNDED_TO(name, To, From, u, std::ceil)
CUDABOOK_TO_INTEGER(float2int, int, float)
CUDABOOK_TO_INTEGER(float2uint, unsigned, float)
CUDABOOK_TO_INTEGER(float2ll, long long, float)
CUDABOOK_TO_INTEGER(float2ull, unsigned long long, float)
CUDABOOK_TO_INTEGER(double2int, int, double)
CUDABOOK_TO_INTEGER(double2uint, unsigned, double)
CUDABOOK_TO_INTEGER(double2ll, long long, double)
CUDABOOK_TO_INTEGER(double2ull, unsigned long long, double)
#undef CUDABOOK_TO_INTEGER
#undef CUDABOOK_ROUNDED_TO

#define CUDABOOK_ROUNDED_FROM(name, To, From, letter, rounding) \
    inline To __##name##_r##letter(From x) { return cudabook::emulation::converted<To, rounding>(x); }
#define CUDABOOK_TO_FLOAT(name, To, From)                                         \
    inline To __##name##_rn(From x) { return static_cast<To>(x); }                \
    CUDABOOK_ROUNDED_FROM(name, To, From, z, cudabook::emulation::Rounding::zero) \
    CUDABOOK_ROUNDED_FROM(name, To, From, d, cudabook::emulation::Rounding::down) \
    CUDABOOK_ROUNDED_FROM(name, To, From, u, cudabook::emulation::Rounding::up)
CUDABOOK_TO_FLOAT(int2float, float, int)
CUDABOOK_TO_FLOAT(uint2float, float, unsigned)
CUDABOOK_TO_FLOAT(ll2float, float, long long)
CUDABOOK_TO_FLOAT(ull2float, float, unsigned long long)
CUDABOOK_TO_FLOAT(ll2double, double, long long)
CUDABOOK_TO_FLOAT(ull2double, double, unsigned long long)
CUDABOOK_TO_FLOAT(double2float, float, double)
#undef CUDABOOK_TO_FLOAT
#undef CUDABOOK_ROUNDED_FROM
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
