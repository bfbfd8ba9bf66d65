// The book's colour map: temperature to RGBA, the same bytes on CPU and GPU.
#pragma once

#include <cstdint>

#include "../cuda/host_device.hpp"

namespace cudabook {

/// One pixel. The channels are in memory order.
struct Rgba {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t alpha = 255;

    friend bool operator==(const Rgba& one, const Rgba& other) {
        return one.red == other.red && one.green == other.green && one.blue == other.blue &&
               one.alpha == other.alpha;
    }
};

namespace detail {

/// Returns one channel, 0 to 255, of an HSL colour whose saturation is 1. `hue` is in degrees, -120 to 480:
/// the colour's hue plus 120 for red, plus 0 for green, minus 120 for blue. The channel rises from `low` to
/// `high` between 0 and 60 degrees, stays at `high` until 180 degrees and falls to `low` at 240 degrees.
/// `low` and `high` are 0 to 1.
CUDABOOK_HOST_DEVICE inline std::uint8_t hsl_channel(float low, float high, int hue) {
    if (hue > 360)
        hue -= 360;
    else if (hue < 0)
        hue += 360;
    float value = low;
    if (hue < 60)
        value = low + (high - low) * static_cast<float>(hue) / 60;
    else if (hue < 180)
        value = high;
    else if (hue < 240)
        value = low + (high - low) * static_cast<float>(240 - hue) / 60;
    return static_cast<std::uint8_t>(255 * value);
}

}  // namespace detail

/// The colour of temperature t as in CUDA by Example: HSL with saturation 1, lightness t and hue (180 +
/// int(360 t)) mod 360 degrees. A temperature outside 0 to 1 gets the colour of the nearer end; NaN gets the
/// colour of 0.
CUDABOOK_HOST_DEVICE inline Rgba colour_of(float t) {
    const float lightness = t > 0 ? (t < 1 ? t : 1.0F) : 0.0F;
    const int hue = (180 + static_cast<int>(360 * lightness)) % 360;
    const float high = lightness <= 0.5F ? 2 * lightness : (lightness + 1) - lightness;
    const float low = 2 * lightness - high;
    return {detail::hsl_channel(low, high, hue + 120), detail::hsl_channel(low, high, hue),
            detail::hsl_channel(low, high, hue - 120), 255};
}

}  // namespace cudabook
