// What the CPU's two ways to make the pictures share.
#pragma once

#include <array>
#include <cstddef>

#include "texture_unit/image.hpp"
#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit {

/// Makes the picture on all of the CPU's cores: pixel(column, row) gives each pixel of the scene's picture;
/// it must not throw.
template <class PixelAt>
Image draw(const Scene& scene, PixelAt pixel) {
    Image image{scene.width, scene.height, std::vector<Texel>(scene.pixels())};
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < scene.height; ++row)
        for (int column = 0; column < scene.width; ++column) image.at(column, row) = pixel(column, row);
    return image;
}

/// A texel as a fetch reads it, unfiltered: bytes as fractions are from 0 to 1.
Texel decoded(Store store, const Texel& stored);

/// The weights of four consecutive texels in a cubic B-spline, for a point `t` after the second one, 0 to 1.
std::array<float, 4> b_spline(float t);

}  // namespace cudabook::texture_unit
