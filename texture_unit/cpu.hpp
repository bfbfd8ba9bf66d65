// The pictures of the lessons on the CPU: by the model in common/texture_model/, as the texture unit makes
// them, and in float32 with weights that are not rounded.
#pragma once

#include <array>

#include "texture_unit/image.hpp"
#include "texture_unit/scene.hpp"

namespace cudabook::texture_unit {

/// Pictures with one fetch per pixel.
Image fetched(const Scene& scene);
Image in_exact_arithmetic(const Scene& scene);

/// Pictures filtered by cubic B-splines: with four linear fetches per pixel, and with sixteen weights.
Image bicubic_fetched(const Scene& scene);
Image bicubic_exact(const Scene& scene);

/// Pictures where each component is looked up in scene.curve, a table of values from 0 to 255.
Image looked_up(const Scene& scene);
Image looked_up_exactly(const Scene& scene);

/// Pictures of |left below - right above| + |right below - left above|, for each component.
Image gathered(const Scene& scene);
Image gathered_exactly(const Scene& scene);

/// Decodes a component encoded as sRGB (IEC 61966-2-1) to a fraction from 0 to 1, with float's precision.
float srgb_fraction(float code);

/// Returns the weights of four consecutive texels in a cubic B-spline, for a point `t` texels (0 to 1) after
/// the centre of the second texel.
std::array<float, 4> b_spline(float t);

}  // namespace cudabook::texture_unit
