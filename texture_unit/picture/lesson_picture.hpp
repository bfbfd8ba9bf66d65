// A lesson as a picture to look at: what the unit gives, exact arithmetic, and the difference.
#pragma once

#include "texture_unit/comparison.hpp"
#include "texture_unit/image.hpp"
#include "texture_unit/picture/picture.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// A lesson's picture with components from 0 to 255 that a screen shows as they are meant.
Image as_displayed(const Lesson& lesson, const Scene& scene, Image image);

/// A kernel's picture, exact arithmetic and the difference enlarged, side by side.
Image lesson_picture(const Kernel& kernel, const Image& image, References& references);

/// A kernel's picture as a panel of a sheet of many.
Panel lesson_panel(const Kernel& kernel, const Image& image, References& references);

}  // namespace cudabook::texture_unit
