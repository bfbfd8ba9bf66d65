// Texels as the texture unit reads them: bytes, words and halves become floats.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cudabook::texture_unit {

/// Components that a texel does not have are 0.
using Texel = std::array<float, 4>;

/// An integer as read with cudaReadModeNormalizedFloat: -1 to 1, or 0 to 1 if it is unsigned.
template <class Integer>
float as_fraction(Integer value) {
    static_assert(std::is_integral_v<Integer> && sizeof(Integer) <= 2);
    const float most = std::numeric_limits<Integer>::max();
    return std::max(static_cast<float>(value) / most, -1.0F);
}

/// The linear value, 0 to 1, of a component that is encoded as sRGB. Source: IEC 61966-2-1.
inline float from_srgb(std::uint8_t encoded) {
    const double fraction = encoded / 255.0;
    return static_cast<float>(fraction <= 0.04045 ? fraction / 12.92
                                                  : std::pow((fraction + 0.055) / 1.055, 2.4));
}

/// The value of a half, given by its bits: IEEE 754's binary16.
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
