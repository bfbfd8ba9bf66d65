// The scenes of the lessons. A scene is a texture, and the part of the texture that fills a picture of size ×
// size pixels.
#pragma once

#include <vector>

#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit::scenes {

/// A part of the test card, magnified and turned.
Scene magnified(int size, Filter filter, Store store = Store::floats);

/// The test card and its surroundings, with normalised coordinates. With Address::clamp, the texture is only
/// the middle of the card: the outermost texels of the whole card all have the same colour, which would hide
/// the clamping.
Scene tiled(int size, Address address);

/// Stripes: a one-dimensional texture.
Scene line(int size);

/// A view of an eighth of a texel, between the centres of a black texel and a white texel. It shows 32 of
/// the 256 steps of a weight.
Scene steps(int size);

/// A slanting slice through a volume.
Scene slice(int size);

/// The layers of a texture, each in a square of the picture, with tiles_across squares side by side.
inline constexpr int tiles_across = 4;
Scene layers(int size);

/// The sky: direction_of() gives the direction of a pixel.
Scene cube(int size, bool seamless);

/// A floor that stretches to the horizon.
Scene levels(int size, Filter level_filter, float bias);

/// The test card with its brightness changed by a curve.
Scene lookup(int size);

/// A curve from 0 to 255 that brightens dark values.
std::vector<float> tone_curve(int entries);

/// Returns the scene with Scene::gather set.
Scene with_gather(Scene scene);

}  // namespace cudabook::texture_unit::scenes
