// Texels as the texture unit reads them: bytes, words and halves become floats.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudabook::texture_unit {

/// The components of a texel; missing components are 0.
using Texel = std::array<float, 4>;

/// The type of a texture's components, which decides how the components are blended. Fractions, signed bytes
/// and signed words are integers read with cudaReadModeNormalizedFloat. The fourth component of `srgb` is an
/// unsigned fraction.
enum class Kind : std::uint8_t { floats, halves, srgb, unsigned_fractions, signed_bytes, signed_words };

/// Returns the fraction that represents an integer in blending with cudaReadModeNormalizedFloat. The result
/// for the smallest signed integer is below -1.
template <class Integer>
float unclamped_fraction(Integer value) {
    static_assert(std::is_integral_v<Integer> && sizeof(Integer) <= 2);
    return static_cast<float>(value) / static_cast<float>(std::numeric_limits<Integer>::max());
}

/// The fraction that a fetch with cudaReadModeNormalizedFloat returns for an integer: -1 to 1, or 0 to 1 if
/// the integer is unsigned.
template <class Integer>
float as_fraction(Integer value) {
    const float fraction = unclamped_fraction(value);
    return fraction < -1.0F ? -1.0F : fraction;
}

/// The result of a fetch without blending. Signed fractions below -1 become -1.
inline Texel unblended(Texel texel, Kind kind) {
    if (kind == Kind::signed_bytes || kind == Kind::signed_words)
        for (float& value : texel)
            if (value < -1.0F) value = -1.0F;
    return texel;
}

/// The texture unit rounds the linear value of an sRGB code to a multiple of a step. Returns this step, a
/// power of two less than 1. At each code in the list below, the step becomes twice as large. Measured on an
/// H200.
inline float srgb_step(std::uint8_t encoded) {
    int times = 0;
    for (const int coarser : {32, 48, 64, 96, 136, 184, 248})
        if (encoded >= coarser) ++times;
    return static_cast<float>(1 << times) / (1 << 14);
}

/// Returns the linear value, 0 to 1, of a component that is encoded as sRGB (IEC 61966-2-1), rounded to a
/// multiple of srgb_step().
inline float from_srgb(std::uint8_t encoded) {
    const double fraction = encoded / 255.0;
    const double exact = fraction <= 0.04045 ? fraction / 12.92 : std::pow((fraction + 0.055) / 1.055, 2.4);
    const double step = srgb_step(encoded);
    return static_cast<float>(std::round(exact / step) * step);
}

/// Converts a half (IEEE 754 binary16), given by its bits, to a float.
inline float from_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = bits >> 10U & 31U;
    const std::uint32_t fraction = bits & 1023U;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + (127 - 15);
    return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

}  // namespace cudabook::texture_unit
