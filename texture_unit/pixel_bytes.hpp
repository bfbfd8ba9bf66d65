// A pixel's bytes, by the same operations on the CPU and the GPU.
#pragma once

#include <cstdint>

#include "common/cuda/host_device.hpp"
#include "common/numbers/colour_map.hpp"

namespace cudabook::texture_unit {

/// Returns the whole number nearest to a component from 0 to 255. Halves are rounded upwards.
CUDABOOK_HOST_DEVICE inline std::uint8_t nearest_byte(float component) {
    const float half_up = component + 0.5F;
    return static_cast<std::uint8_t>(half_up);
}

/// Returns the pixel whose components, from 0 to 255, are given.
CUDABOOK_HOST_DEVICE inline Rgba pixel_of(float red, float green, float blue) {
    return {nearest_byte(red), nearest_byte(green), nearest_byte(blue), 255};
}

}  // namespace cudabook::texture_unit
