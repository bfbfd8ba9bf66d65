// Makes pictures on the CPU.
#pragma once

#include <cstddef>

#include "texture_unit/image.hpp"
#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit {

/// Draws the scene's picture on all cores. pixel(column, row) returns the colour of a pixel, and must not
/// throw.
template <class PixelAt>
Image draw(const Scene& scene, PixelAt pixel) {
    Image image{scene.width, scene.height, std::vector<Texel>(scene.pixels())};
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < scene.height; ++row)
        for (int column = 0; column < scene.width; ++column) image.at(column, row) = pixel(column, row);
    return image;
}

}  // namespace cudabook::texture_unit
