// The benchmark's scenes for each lesson: without content, of size × size texels and as many pixels. The
// pixels are spaced like the texels and lie beside their centres.
#pragma once

#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit::jobs {

Scene plane(int size, Filter filter, Store store = Store::floats);

/// A plane with normalised coordinates.
Scene address(int size, Address mode);

/// A line of at most 16384 texels, which each row of the picture reads.
Scene line(int size);

/// Slices through a volume with about as many texels as a plane. Each slice is a picture.
Scene volume(int size);

/// Sixteen layers, which together have as many texels as the picture.
Scene layers(int size);

/// A cube map, whose faces have half the side.
Scene cube(int size, bool seamless);

/// A mipmap, read between the first two levels or from the first level.
Scene levels(int size, Filter level_filter, float bias);

/// A picture through a table of 256 entries.
Scene lookup(int size);

}  // namespace cudabook::texture_unit::jobs
