// Conversions of numbers as a GPU does them, where C++ does them in another way.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "common/texture_model/texels.hpp"

namespace cudabook::emulation {

/// Converts an integral value to the nearest value of T. NaN becomes T's highest bit alone if T or From has
/// 64 bits, else 0. Source: PTX ISA, "cvt"; for NaN, results of an H200.
template <class T, std::floating_point From>
T to_integer(From value) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(value)) {
        constexpr auto highest_bit = static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1));
        return sizeof(T) == 8 || sizeof(From) == 8 ? highest_bit : T{};
    }
    if (value <= static_cast<From>(Limits::min())) return Limits::min();
    if (value >= static_cast<From>(Limits::max())) return Limits::max();
    return static_cast<T>(value);
}

/// Rounds towards zero. No finite value becomes an infinity.
inline float truncated_to_float(double value) {
    const auto nearest = static_cast<float>(value);
    if (std::abs(static_cast<double>(nearest)) <= std::abs(value) || std::isnan(value)) return nearest;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - 1);  // one step towards zero
}

/// Returns the part of a float that the tensor cores read: without its lowest 13 bits.
inline float tf32_bits(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000U);
}

/// Rounds to TF32, which has 8 bits of exponent and 10 explicit bits of significand: to nearest, ties away
/// from zero. NaN only loses its lowest 13 bits, and becomes an infinity if no other bit of its significand
/// was set. Source: PTX ISA, "cvt.rna.tf32.f32"; for NaN, results of an H200.
inline float rounded_to_tf32(float value) {
    if (!std::isfinite(value)) return tf32_bits(value);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U);  // a carry goes into the exponent
}

/// Returns the bits of the nearest half, ties to even. NaN becomes 0x7fff. Source: PTX ISA, "cvt".
inline std::uint16_t half_bits(double value) {
    if (std::isnan(value)) return 0x7fff;
    const int sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
    const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
    // In units of the last place: up to 2^10 for a subnormal, else 2^10 to 2^11. A carry goes into the
    // exponent.
    const int units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + units));
}

/// half_bits() for a double: NaN keeps its sign and its upper bits. Source: results of an H200.
inline std::uint16_t half_bits_of_double(double value) {
    if (!std::isnan(value)) return half_bits(value);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return static_cast<std::uint16_t>((bits >> 48 & 0x8000) | 0x7e00 | (bits >> 42 & 0x3ff));
}

/// Returns the value of a half. NaN becomes the float with the bits 0x7fffffff.
inline float half_value(std::uint16_t bits) {
    if ((bits & 0x7fff) > 0x7c00) return std::bit_cast<float>(0x7fffffffU);
    return texture_unit::from_half(bits);
}

/// Returns x y + z in double, rounded to odd. Rounding this to a half gives the result of a single rounding.
inline double fma_to_odd(double x, double y, double z) {
    const double product = x * y;  // exact: halves have 11 bits
    const double sum = product + z;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (z - part);
    if (error == 0 || !std::isfinite(sum)) return sum;
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if ((bits & 1) != 0) return sum;
    return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace cudabook::emulation
