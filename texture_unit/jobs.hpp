// What the benchmark does of each lesson: scenes without content, of size × size texels and as many pixels,
// which lie as close as the texels and beside their centres.
#pragma once

#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit::jobs {

Scene plane(int size, Filter filter, Store store = Store::floats);

/// With normalised coordinates.
Scene address(int size, Address mode);

/// Of at most 16384 texels, which each row of the picture reads.
Scene line(int size);

/// Slices through a volume that has about as many texels as a plane; one picture each.
Scene volume(int size);

/// Sixteen layers, which together have as many texels as the picture.
Scene layers(int size);

/// Faces of half the side.
Scene cube(int size, bool seamless);

/// Between the first two levels, or of the first one.
Scene levels(int size, Filter level_filter, float bias);

/// Through a table of 256 entries.
Scene lookup(int size);

}  // namespace cudabook::texture_unit::jobs
