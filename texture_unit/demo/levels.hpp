// The mipmap levels of a picture.
#pragma once

#include <vector>

#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

/// The picture and its levels, each half as large as the one before, down to one texel: a texel is the mean
/// of four. All components are whole numbers, the means rounded halves upwards, so that the sums of a fetch
/// are exact in 24 bits and every renderer gives the same.
std::vector<Image> mipmap_levels(const Image& image);

}  // namespace cudabook::texture_unit
