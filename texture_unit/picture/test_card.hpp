// The lessons' textures: pictures and volumes drawn by the program. All components are whole numbers from 0
// to 255, so that blends are exact. The textures are the same on every machine, because the program computes
// them only by additions, multiplications, divisions and square roots, which IEEE 754 rounds in one way.
#pragma once

#include <vector>

#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

/// A test card of size x size texels: stripes of one texel, a chequerboard, a fan of lines, a colour wheel, a
/// grey ramp, colour bars, a circle, a border of one texel, and, from 64 texels on, text. `size` is at
/// least 1.
Image test_card(int size);

/// Returns a face of a cube map, in the order and orientation of cube_point(). The map shows a sky with
/// clouds and a sun, and ground with a grid; y points up. Each face shows its name, which reads from left to
/// right if x points to the right of an observer who looks along z.
Image sky(int face, int size);

/// Returns the layers of a layered texture. Each layer shows one hexadecimal digit and has a different
/// colour.
std::vector<Image> glyphs(int size);

/// A volume of size x size x size texels, x running fastest, then y: a ring, coloured by its position (red
/// along x, green along y, blue along z), with alpha 255. Outside the ring all components are 0.
std::vector<Texel> volume(int size);

/// Returns the levels of a mipmap, from `image` down to one texel. Each texel is the mean of 2 x 2 texels of
/// the previous level, rounded to whole numbers, halves upwards. Sizes are halved and rounded down, as in
/// CUDA, so that an odd last row or column is left out. If only one row or column is left, it is read twice.
std::vector<Image> mip_levels(Image image);

}  // namespace cudabook::texture_unit
