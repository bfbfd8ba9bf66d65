// A lesson as a picture to look at: the unit's result, exact arithmetic, and the difference.
#pragma once

#include "texture_unit/comparison.hpp"
#include "texture_unit/image.hpp"
#include "texture_unit/picture/picture.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// A lesson's picture with components converted to 0 to 255, for a screen.
Image as_displayed(const Lesson& lesson, const Scene& scene, Image image);

/// A kernel's picture, exact arithmetic's, and the enlarged difference, side by side.
Image lesson_picture(const Kernel& kernel, const Image& image, References& references);

/// A kernel's picture as a panel of a sheet of many.
Panel lesson_panel(const Kernel& kernel, const Image& image, References& references);

}  // namespace cudabook::texture_unit
