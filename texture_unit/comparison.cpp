#include "texture_unit/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/program/fault.hpp"

namespace cudabook::texture_unit {

namespace {

std::span<float> components(Image& image) {
    return {image.texels.front().data(), image.texels.size() * image.texels.front().size()};
}
std::span<const float> components(const Image& image) {
    return {image.texels.front().data(), image.texels.size() * image.texels.front().size()};
}

template <class Make>
const auto& made_once(auto& made, const Lesson& lesson, Make make) {
    const auto found = made.find(lesson.name);
    return found != made.end() ? found->second : made.emplace(lesson.name, make()).first->second;
}

std::size_t mismatches(const Image& a, const Image& b) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.texels.size(); ++i)
        if (!std::ranges::equal(a.texels[i], b.texels[i], {}, bits, bits)) ++count;
    return count;
}

std::size_t mismatches(const std::vector<float>& first_components, const Image& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first_components.size(); ++i)
        if (std::bit_cast<std::uint32_t>(first_components[i]) != std::bit_cast<std::uint32_t>(b.texels[i][0]))
            ++count;
    return count;
}

}  // namespace

const Scene& References::scene(const Lesson& lesson) {
    return made_once(scenes_, lesson, [&] { return lesson.scene(size_); });
}
const Image& References::model(const Lesson& lesson) {
    return made_once(models_, lesson, [&] { return lesson.model(scene(lesson)); });
}
const Image& References::exact(const Lesson& lesson) {
    return made_once(exact_, lesson, [&] { return lesson.exact(scene(lesson)); });
}

double largest_difference(const Scene& scene, const Image& a, const Image& b) {
    const bool fractions = scene.store == Store::fractions || scene.store == Store::srgb;
    double largest = 0;
    const std::span<const float> x = components(a);
    const std::span<const float> y = components(b);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
        if (std::isnan(difference)) return difference;
        largest = std::max(largest, difference);
    }
    return largest * (fractions ? 255 : 1);
}

Compared compare(const Kernel& kernel, const Device& device, References& references) {
    const Lesson& of = lesson(kernel.lesson);
    const Scene& scene = references.scene(of);
    Compared compared{kernel.draw(device, scene), {kernel.name, kernel.memory, "", std::nullopt}};
    Image& image = compared.image;
    Result& result = compared.result;
    flip_bit_if_asked(kernel.name, components(image));
    result.checksum = checksum(image);
    const double difference = largest_difference(scene, image, references.exact(of));
    if (kernel.device == DeviceKind::cpu) {
        const bool known = references.size() != default_size || result.checksum == of.checksum;
        result.verified = known && difference <= of.bound;
    } else {
        const Image& reference = kernel.exact ? references.exact(of) : references.model(of);
        std::size_t wrong = mismatches(image, reference);
        if (kernel.draw_first) wrong += mismatches(kernel.draw_first(device, scene), reference);
        result.figures["mismatches"] = wrong;
        result.verified = wrong == 0;
    }
    result.figures["lesson"] = of.name;
    result.figures["from_exact"] = difference;
    return compared;
}

}  // namespace cudabook::texture_unit
