// A random texture, so that no texel can be mistaken for another.
#pragma once

#include <cstdint>

#include "texture_unit/image.hpp"

namespace cudabook::test {

/// Returns an image whose components are pseudo-random whole numbers from 0 to 255, the same in every run.
inline texture_unit::Image random_image(int width, int height) {
    texture_unit::Image image;
    image.width = width;
    image.height = height;
    std::uint32_t bits = 1;
    for (int i = 0; i < width * height; ++i) {
        texture_unit::Texel texel{};
        for (float& component : texel) {
            bits = bits * 1664525U + 1013904223U;
            component = static_cast<float>(bits >> 24U);
        }
        image.texels.push_back(texel);
    }
    return image;
}

}  // namespace cudabook::test
