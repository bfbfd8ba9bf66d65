// Rounds exact numbers to a floating-point format, in the directions that CUDA's functions have in their
// names.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudabook::emulation {

/// The directions that the letters n, z, d and u stand for in the names of functions.
enum class Rounding { nearest, zero, down, up };

/// A binary format. `bits_of_precision` includes the leading bit, which is not stored. `least` is the
/// exponent of the smallest normal number. The bit pattern after the largest finite number is infinity, or
/// NaN if there is no infinity.
template <class Stored, int bits_of_precision, int least, Stored largest_finite>
struct Format {
    using Bits = Stored;
    static constexpr int precision = bits_of_precision;
    static constexpr int least_exponent = least;
    static constexpr Bits largest = largest_finite;
    static constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
};
using Binary64 = Format<std::uint64_t, 53, -1022, 0x7fefffffffffffff>;
using Binary32 = Format<std::uint32_t, 24, -126, 0x7f7fffff>;
using Binary16 = Format<std::uint16_t, 11, -14, 0x7bff>;
using Bfloat16 = Format<std::uint16_t, 8, -126, 0x7f7f>;
using E5m2 = Format<std::uint8_t, 3, -14, 0x7b>;
using E4m3 = Format<std::uint8_t, 4, -6, 0x7e>;

/// Shifts right, and sets the lowest bit if the shift has lost a 1.
template <class T>
T shift_right_to_odd(T value, int by) {
    if (by <= 0) return value;
    if (by >= static_cast<int>(8 * sizeof(T))) return value != 0 ? 1 : 0;
    return value >> by | ((value & ((T{1} << by) - 1)) != 0 ? 1 : 0);
}

/// Returns the bits of significand * 2^exponent, rounded once. On overflow, returns the largest finite number
/// if the rounding direction points towards zero for this sign; otherwise infinity, or NaN if the format has
/// no infinity.
template <class F, Rounding rounding>
typename F::Bits rounded(bool negative, std::uint64_t significand, int exponent) {
    using Bits = typename F::Bits;
    const bool outward = rounding == (negative ? Rounding::down : Rounding::up);
    const Bits sign = negative ? F::sign : Bits{0};
    if (significand == 0) return sign;
    const int top = exponent + 63 - std::countl_zero(significand);
    const int scale = top > F::least_exponent ? top : F::least_exponent;
    int dropped = scale - (F::precision - 1) - exponent;
    if (dropped > 62) {
        significand = shift_right_to_odd(significand, dropped - 62);
        dropped = 62;
    }
    const std::uint64_t kept = dropped > 0 ? significand >> dropped : significand << -dropped;
    const std::uint64_t lost = dropped > 0 ? significand << (64 - dropped) : 0;
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    const bool up = rounding == Rounding::nearest ? lost > half || (lost == half && (kept & 1) != 0)
                                                  : lost != 0 && outward;
    // A carry goes into the exponent. The kept bits of a normal number add 1 to its exponent: the hidden bit.
    const std::uint64_t bits =
        kept + (up ? 1 : 0) + (static_cast<std::uint64_t>(scale - F::least_exponent) << (F::precision - 1));
    const std::uint64_t most = F::largest + std::uint64_t{rounding == Rounding::nearest || outward ? 1U : 0U};
    return static_cast<Bits>(sign | static_cast<Bits>(bits < most ? bits : most));
}

/// A finite number: significand * 2^exponent.
struct Parts {
    bool negative;
    std::uint64_t significand;
    int exponent;
};
inline Parts parts_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & 0xfffffffffffff;
    if (exponent == 0) return {std::signbit(value), fraction, -1074};
    return {std::signbit(value), fraction | std::uint64_t{1} << 52, exponent - 1075};
}

/// Rounds a number that is no NaN. Infinity gives infinity, or NaN if the format has no infinity.
template <class F, Rounding rounding>
typename F::Bits rounded(double value) {
    if (std::isinf(value)) {
        const auto infinity = static_cast<typename F::Bits>(F::largest + 1);
        return static_cast<typename F::Bits>(value < 0 ? F::sign | infinity : infinity);
    }
    const Parts parts = parts_of(value);
    return rounded<F, rounding>(parts.negative, parts.significand, parts.exponent);
}

/// Rounds an integer.
template <class F, Rounding rounding, class T>
requires std::is_integral_v<T>
typename F::Bits rounded(T value) {
    const auto bits = static_cast<std::uint64_t>(value);  // sign-extended
    return rounded<F, rounding>(value < 0, value < 0 ? 0 - bits : bits, 0);
}

// ----- Operations rounded to odd: a result that is not exact becomes the neighbour whose lowest bit is 1. If
// such a double is rounded again, to a precision that is at least two bits lower, the result is as if the
// exact result had been rounded once.

/// Returns an exact result rounded to odd. `result` is the exact result rounded to nearest, and `difference`
/// has the sign of the exact result minus `result`.
inline double to_odd(double result, double difference) {
    const auto bits = std::bit_cast<std::uint64_t>(result);
    if (difference == 0 || (bits & 1) != 0) return result;
    return std::bit_cast<double>((difference > 0) == (result > 0) ? bits + 1 : bits - 1);
}

inline double sum_to_odd(double x, double y) {
    const double sum = x + y;
    if (!std::isfinite(sum)) return sum;
    const double part = sum - x;
    return to_odd(sum, (x - (sum - part)) + (y - part));
}

/// Returns the quotient of two floats, rounded to odd.
inline double quotient_to_odd(double x, double y) {
    const double quotient = x / y;
    if (!std::isfinite(quotient) || quotient == 0) return quotient;
    const double remainder = std::fma(-quotient, y, x);
    return to_odd(quotient, std::signbit(y) ? -remainder : remainder);
}

/// Returns the square root of x, rounded to odd.
inline double square_root_to_odd(double x) {
    const double root = std::sqrt(x);
    if (!std::isfinite(root) || root == 0) return root;
    return to_odd(root, std::fma(-root, root, x));
}

}  // namespace cudabook::emulation
