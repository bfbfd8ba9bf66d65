// Converts the border's colour, four floats, to the element type of a texture. The rules were measured on an
// H200. A texture that is read as integers takes the lowest bits of each float's bit pattern.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudabook::texture_unit {

/// Converts a border colour to an integer that is read with cudaReadModeNormalizedFloat. The colour is
/// truncated to four bits more than the integer has, then rounded to the nearest integer, halves towards 0.
/// NaN becomes 0.
template <class Integer>
Integer border_code(float colour) {
    constexpr int most = std::numeric_limits<Integer>::max();
    constexpr int steps = 16 * (most + 1);
    constexpr float least = std::is_signed_v<Integer> ? -1 : 0;
    if (std::isnan(colour)) return 0;
    const double cut = std::trunc(std::clamp(colour, least, 1.0F) * steps) / steps;
    return static_cast<Integer>(std::copysign(std::ceil(std::fabs(cut * most) - 0.5), cut));
}

/// Returns the sRGB code nearest to a border colour. For one colour in a thousand, the texture unit uses a
/// different code. Each of these colours is within 1/1000 of a step of the midpoint between two codes.
inline std::uint8_t border_srgb(float colour) {
    if (std::isnan(colour)) return 0;
    const double linear = static_cast<double>(std::clamp(colour, 0.0F, 1.0F));
    const double encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(encoded * 255));
}

/// Converts a border colour to the bits of a half. Bits beyond the precision of a half are cut off. A finite
/// number that is too large becomes the largest half.
inline std::uint16_t border_half(float colour) {
    const auto bits = std::bit_cast<std::uint32_t>(colour);
    const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
    const float magnitude = std::fabs(colour);
    constexpr std::uint16_t largest = 0x7bff;
    if (!(magnitude <= std::numeric_limits<float>::max()))
        return static_cast<std::uint16_t>(sign | 0x7c00U | (bits >> 13U & 0x3ffU));
    if (magnitude >= 65504) return static_cast<std::uint16_t>(sign | largest);
    if (magnitude < 0x1p-14F)
        return static_cast<std::uint16_t>(sign | static_cast<unsigned>(magnitude * 0x1p24F));
    const std::uint32_t rebiased = std::bit_cast<std::uint32_t>(magnitude) - ((127U - 15U) << 23U);
    return static_cast<std::uint16_t>(sign | rebiased >> 13U);
}

}  // namespace cudabook::texture_unit
