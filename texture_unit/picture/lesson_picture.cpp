#include "texture_unit/picture/lesson_picture.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace cudabook::texture_unit {

namespace {

/// Encodes a fraction as sRGB, 0 to 255 with decimals. Source: IEC 61966-2-1.
float encoded(float fraction) {
    const float code =
        fraction <= 0.0031308F ? 12.92F * fraction : 1.055F * std::pow(fraction, 1 / 2.4F) - 0.055F;
    return 255 * code;
}

}  // namespace

Image as_displayed(const Lesson& lesson, const Scene& scene, Image image) {
    for (Texel& pixel : image.texels) {
        for (float& component : pixel) {
            if (scene.store == Store::srgb)
                component = encoded(component);
            else if (scene.store == Store::fractions)
                component *= 255;
            else if (lesson.name == "gather")
                component /= 2;  // a sum of two differences
        }
        pixel[3] = 255;
    }
    return image;
}

Image lesson_picture(const Kernel& kernel, const Image& image, References& references) {
    const Lesson& of = lesson(kernel.lesson);
    const Scene& scene = references.scene(of);
    Image unit = as_displayed(of, scene, image);
    Image exact = as_displayed(of, scene, references.exact(of));
    float factor = 0;
    Image apart = difference(unit, exact, factor);
    return side_by_side(fmt::format("{}: {}", kernel.name, of.what),
                        {{kernel.memory == "model" ? "model of the unit" : kernel.memory, std::move(unit)},
                         {"exact arithmetic", std::move(exact)},
                         {difference_title(factor), std::move(apart)}});
}

Panel lesson_panel(const Kernel& kernel, const Image& image, References& references) {
    const Lesson& of = lesson(kernel.lesson);
    return {kernel.name, as_displayed(of, references.scene(of), image)};
}

}  // namespace cudabook::texture_unit
