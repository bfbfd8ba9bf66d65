// The benchmark's scenes for the lessons. The scenes contain no texels, because only the time matters. In
// general, a scene has size × size texels and as many pixels. Neighbouring pixels are one texel apart, and
// are not at the texels' centres.
#pragma once

#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit::jobs {

Scene plane(int size, Filter filter, Store store = Store::floats);

/// A plane with normalised coordinates.
Scene address(int size, Address mode);

/// A one-dimensional texture of at most 16384 texels. Each row of the picture reads the same texels.
Scene line(int size);

/// Slices through a volume that has about as many texels as a plane. Each slice is a picture.
Scene volume(int size);

/// Sixteen layers, which together have as many texels as the picture has pixels.
Scene layers(int size);

/// A cube map. The side of each face is half the side of the picture.
Scene cube(int size, bool seamless);

/// A mipmap. If `level_filter` is linear, fetches read halfway between the first two levels. If it is point,
/// fetches read the first level.
Scene levels(int size, Filter level_filter, float bias);

/// A picture whose components are looked up in a table of 256 entries.
Scene lookup(int size);

}  // namespace cudabook::texture_unit::jobs
