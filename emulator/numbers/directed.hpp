// Single operations on floats and doubles, rounded in a direction. Operations on floats are computed in
// double, rounded to odd, then rounded to float. Operations on doubles are rounded to nearest, then
// corrected by the sign of the rounding error. Where this error may be too small for a double, and for
// fused operations, the computation uses integers of 128 bits.
#pragma once

#include <concepts>
#include <utility>

#include "emulator/numbers/rounding.hpp"

namespace cudabook::emulation {

/// Returns the value. The compiler cannot see how it was computed, and so fuses no operation with it.
template <std::floating_point T>
T unfused(T value) {
#if defined(__x86_64__)
    asm("" : "+x"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#endif
    return value;
}

template <class T>
using FormatOf = std::conditional_t<sizeof(T) == 8, Binary64, Binary32>;

/// Converts to a float or a double.
template <class To, Rounding rounding, class From>
To converted(From value) {
    if constexpr (!std::is_integral_v<From>)
        if (!std::isfinite(value)) return static_cast<To>(value);
    return std::bit_cast<To>(rounded<FormatOf<To>, rounding>(value));
}

/// Returns x + y, which must be 0. The sign of the result depends on the rounding direction.
template <Rounding rounding>
double zero_sum(double x, double y) {
    return rounding == Rounding::down && (std::signbit(x) || std::signbit(y)) ? -0.0 : x + y;
}

template <Rounding rounding>
float directed_sum(double x, double y) {
    const double sum = sum_to_odd(x, y);
    return converted<float, rounding>(sum == 0 ? zero_sum<rounding>(x, y) : sum);
}

// ----- Floats. Their products are exact in double.

template <Rounding rounding>
float add(float x, float y) {
    return directed_sum<rounding>(x, y);
}
template <Rounding rounding>
float multiply(float x, float y) {
    return converted<float, rounding>(static_cast<double>(x) * y);
}
template <Rounding rounding>
float multiply_add(float x, float y, float z) {
    return directed_sum<rounding>(static_cast<double>(x) * y, z);
}
template <Rounding rounding>
float divide(float x, float y) {
    return converted<float, rounding>(quotient_to_odd(x, y));
}
template <Rounding rounding>
float square_root(float x) {
    return converted<float, rounding>(square_root_to_odd(x));
}

/// Returns 1 / sqrt(x), rounded to nearest. The exact result never lies halfway between two floats.
inline float reciprocal_square_root(float x) {
    const double approximate = 1 / std::sqrt(static_cast<double>(x));
    const auto nearest = static_cast<float>(approximate);
    if (!std::isfinite(approximate) || approximate == 0) return nearest;
    const float neighbour = std::nextafter(nearest, approximate > nearest ? 4 * nearest : 0.0F);
    const double middle = (static_cast<double>(nearest) + neighbour) / 2;
    // The square of the middle has at most 50 bits, so it is exact.
    const bool result_is_above = std::fma(middle * middle, static_cast<double>(x), -1.0) < 0;
    return result_is_above == (neighbour > nearest) ? neighbour : nearest;
}

// ----- Doubles

/// Returns whether the numbers are far from overflow and underflow. If this holds for the operands and the
/// result of an operation, a double can represent the rounding error exactly.
template <class... T>
bool are_moderate(T... numbers) {
    return ((std::abs(numbers) > 0x1p-960 && std::abs(numbers) < 0x1p960) && ...);
}

/// Returns the exact result of an operation, rounded in the direction. `result` is the exact result rounded
/// to nearest, and `lost` has the sign of the exact result minus `result`.
template <Rounding rounding>
double redirected(double result, double lost) {
    const bool is_too_large = (lost < 0) == (result > 0);  // in magnitude
    const bool moves = rounding == Rounding::zero ? is_too_large : (lost < 0) == (rounding == Rounding::down);
    if (lost == 0 || !moves) return result;
    const auto bits = std::bit_cast<std::uint64_t>(result);
    return std::bit_cast<double>(is_too_large ? bits - 1 : bits + 1);
}

__extension__ using Wide = unsigned __int128;

inline int length_of(Wide value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    return high != 0 ? 128 - std::countl_zero(high)
                     : 64 - std::countl_zero(static_cast<std::uint64_t>(value));
}

/// The number significand * 2^exponent. If it is not exact, the significand's lowest bit is 1.
struct WideParts {
    bool negative;
    Wide significand;
    int exponent;
};
/// Returns the same number with a significand of `length` bits. The number is not 0.
inline WideParts with_length(WideParts parts, int length) {
    const int shift = length - length_of(parts.significand);
    return {parts.negative,
            shift >= 0 ? parts.significand << shift : shift_right_to_odd(parts.significand, -shift),
            parts.exponent - shift};
}
inline WideParts wide_parts_of(double value) {
    const Parts parts = parts_of(value);
    return {parts.negative, parts.significand, parts.exponent};
}

template <Rounding rounding>
double rounded_to_double(const WideParts& parts) {
    const WideParts short_parts = with_length(parts, 64);
    return std::bit_cast<double>(rounded<Binary64, rounding>(
        parts.negative, static_cast<std::uint64_t>(short_parts.significand), short_parts.exponent));
}

inline WideParts product(double x, double y) {
    const Parts a = parts_of(x);
    const Parts b = parts_of(y);
    return {a.negative != b.negative, Wide{a.significand} * b.significand, a.exponent + b.exponent};
}

/// Returns the rounded sum of two numbers that are not 0.
template <Rounding rounding>
double directed_sum(const WideParts& x, const WideParts& y) {
    WideParts large = with_length(x, 126);
    WideParts small = with_length(y, 126);
    if (large.exponent < small.exponent) std::swap(large, small);
    // Before with_length(), a significand has at most 106 bits. So bits are lost only if the exponents
    // differ so much that a subtraction cancels at most one bit.
    small.significand = shift_right_to_odd(small.significand, large.exponent - small.exponent);
    small.exponent = large.exponent;
    if (large.negative == small.negative) {
        large.significand += small.significand;
    } else {
        if (large.significand < small.significand) std::swap(large, small);
        large.significand -= small.significand;
        if (large.significand == 0) return rounding == Rounding::down ? -0.0 : 0.0;
    }
    return rounded_to_double<rounding>(large);
}

template <Rounding rounding>
double add(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return x + y;
    if (x == 0 && y == 0) return zero_sum<rounding>(x, y);
    if (x == 0 || y == 0) return x + y;
    const double first = unfused(x);
    const double second = unfused(y);
    const double sum = first + second;
    if (are_moderate(first, second, sum)) {
        const double part = sum - first;
        return redirected<rounding>(sum, (first - (sum - part)) + (second - part));
    }
    return directed_sum<rounding>(wide_parts_of(x), wide_parts_of(y));
}
template <Rounding rounding>
double multiply(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) return x * y;
    const double nearest = x * y;
    if (are_moderate(x, y, nearest)) return redirected<rounding>(nearest, std::fma(x, y, -nearest));
    return rounded_to_double<rounding>(product(x, y));
}
template <Rounding rounding>
double multiply_add(double x, double y, double z) {
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) return std::fma(x, y, z);
    if (x == 0 || y == 0) return add<rounding>(x * y, z);
    if (z == 0) return rounded_to_double<rounding>(product(x, y));
    return directed_sum<rounding>(product(x, y), wide_parts_of(z));
}
template <Rounding rounding>
double divide(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) return x / y;
    const double nearest = x / y;
    if (are_moderate(x, y, nearest)) {
        const double remainder = std::fma(-nearest, y, x);
        return redirected<rounding>(nearest, y < 0 ? -remainder : remainder);
    }
    const WideParts a = with_length(wide_parts_of(x), 124);
    const WideParts b = with_length(wide_parts_of(y), 53);
    const Wide quotient = a.significand / b.significand;
    const Wide inexact = quotient * b.significand != a.significand ? 1 : 0;
    return rounded_to_double<rounding>(
        {a.negative != b.negative, quotient | inexact, a.exponent - b.exponent});
}

/// Returns the square root, rounded towards zero.
inline std::uint64_t integer_root(Wide value) {
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));  // off by less than 2^12
    root = root / 2 + static_cast<std::uint64_t>(value / root) / 2;                 // off by less than 4
    while (Wide{root} * root > value) --root;
    while (Wide{root + 1} * (root + 1) <= value) ++root;
    return root;
}

template <Rounding rounding>
double square_root(double x) {
    const double nearest = std::sqrt(x);
    if (!std::isfinite(x) || x <= 0) return nearest;
    if (are_moderate(x)) return redirected<rounding>(nearest, std::fma(-nearest, nearest, x));
    WideParts parts = with_length(wide_parts_of(x), 125);
    if (parts.exponent % 2 != 0) parts = with_length(parts, 126);
    const std::uint64_t root = integer_root(parts.significand);
    const Wide inexact = Wide{root} * root != parts.significand ? 1 : 0;
    return rounded_to_double<rounding>({false, Wide{root} << 1 | inexact, parts.exponent / 2 - 1});
}

}  // namespace cudabook::emulation
