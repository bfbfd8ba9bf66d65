// Conversions of numbers that a GPU does differently from C++.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "common/texture_model/texels.hpp"
#include "emulator/numbers/rounding.hpp"

namespace cudabook::emulation {

/// Converts a floating-point value that has no fraction to T. A value out of T's range becomes the nearest
/// value of T. NaN becomes 0, except that it becomes the value in which only T's highest bit is set if T or
/// From has 64 bits. Source: PTX ISA, "cvt"; for NaN, results of an H200.
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

/// Returns the value that tensor cores read from a float: the float without its lowest 13 bits.
inline float tf32_value(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000U);
}

/// Rounds to TF32, which has 8 bits of exponent and 10 explicit bits of significand: to nearest, ties away
/// from zero. NaN only loses its lowest 13 bits, and becomes an infinity if no other bit of its significand
/// was set. Source: PTX ISA, "cvt.rna.tf32.f32"; for NaN, results of an H200.
inline float rounded_to_tf32(float value) {
    if (!std::isfinite(value)) return tf32_value(value);
    const std::uint32_t rounded = std::bit_cast<std::uint32_t>(value) + 0x1000U;  // may carry to the exponent
    return tf32_value(std::bit_cast<float>(rounded));
}

/// Returns the bits of the nearest half, ties to even. NaN becomes 0x7fff. Source: PTX ISA, "cvt".
inline std::uint16_t half_bits(double value) {
    return std::isnan(value) ? 0x7fff : rounded<Binary16, Rounding::nearest>(value);
}

/// Does what half_bits() does, but NaN keeps its sign and its upper bits. Source: results of an H200.
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

}  // namespace cudabook::emulation
