// Pictures of a lesson for people: the unit's result, the result of exact arithmetic, and their difference.
#pragma once

#include "texture_unit/comparison.hpp"
#include "texture_unit/image.hpp"
#include "texture_unit/picture/picture.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Returns a lesson's picture with its components converted to 0 to 255, for a screen.
Image as_displayed(const Lesson& lesson, const Scene& scene, Image image);

/// Returns three pictures side by side: the kernel's picture, the picture of exact arithmetic, and the
/// enlarged difference.
Image lesson_picture(const Kernel& kernel, const Image& image, References& references);

/// Returns a kernel's picture as one of the panels of a sheet.
Panel lesson_panel(const Kernel& kernel, const Image& image, References& references);

}  // namespace cudabook::texture_unit
