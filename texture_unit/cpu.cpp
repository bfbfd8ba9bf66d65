// The lessons' pictures as the texture unit makes them, by its model in common/texture_model/.
#include "texture_unit/cpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "common/program/fault.hpp"
#include "common/texture_model/model.hpp"
#include "texture_unit/direction.hpp"
#include "texture_unit/draw.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

namespace {

Kind kind_of(Store store) {
    if (store == Store::srgb) return Kind::srgb;
    return store == Store::fractions ? Kind::unsigned_fractions : Kind::floats;
}

/// Returns a texel as an unfiltered fetch returns it.
Texel decoded(Store store, const Texel& stored) {
    if (store == Store::floats || store == Store::integers) return stored;
    Texel texel{};
    for (std::size_t c = 0; c < texel.size(); ++c) {
        const auto code = static_cast<std::uint8_t>(stored[c]);
        texel[c] = store == Store::srgb && c < 3 ? from_srgb(code) : as_fraction(code);
    }
    return texel;
}

/// Returns the model of a part of a level of the scene's texture: the texels from index `first` on.
TextureModel model_of(const Scene& scene, const std::array<int, 3>& size, const std::vector<Texel>& texels,
                      std::size_t first = 0) {
    TextureModel model;
    model.size = size;
    const auto count = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                       static_cast<std::size_t>(size[2]);
    model.texels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) model.texels.push_back(decoded(scene.store, texels[first + i]));
    model.address = scene.address;
    model.filter = scene.filter;
    model.normalized = scene.normalized;
    model.kind = kind_of(scene.store);
    return model;
}
TextureModel model_of(const Scene& scene) { return model_of(scene, scene.size, scene.levels[0]); }

/// The layers or the faces, each as a separate texture.
std::vector<TextureModel> models_of_depth(const Scene& scene) {
    const auto [width, height, depth] = scene.size;
    std::vector<TextureModel> models;
    for (int i = 0; i < depth; ++i)
        models.push_back(model_of(scene, {width, height, 1}, scene.levels[0],
                                  static_cast<std::size_t>(i) * static_cast<std::size_t>(width) *
                                      static_cast<std::size_t>(height)));
    return models;
}

Image of_layers(const Scene& scene) {
    const std::vector<TextureModel> layers = models_of_depth(scene);
    const int tile = scene.tile();
    return draw(scene, [&](int column, int row) {
        return layered(layers, row / tile * scene.tiles + column / tile,
                       scene.view.x.of(column % tile, row % tile),
                       scene.view.y.of(column % tile, row % tile));
    });
}

Image of_cube(const Scene& scene) {
    std::array<TextureModel, 6> faces;
    std::ranges::move(models_of_depth(scene), faces.begin());
    return draw(scene, [&](int column, int row) {
        const auto [x, y, z] = direction_of(column, row, scene.width);
        return scene.seamless ? seamless_cubemap(faces, x, y, z) : cubemap(faces, x, y, z);
    });
}

Image of_levels(const Scene& scene) {
    MipmapModel mipmap;
    mipmap.filter = scene.level_filter;
    mipmap.bias = scene.bias;
    for (int i = 0; i < scene.level_count(); ++i)
        mipmap.levels.push_back(model_of(scene, {scene.size[0] >> i, scene.size[1] >> i, 1},
                                         scene.levels[static_cast<std::size_t>(i)]));
    return draw(scene, [&](int column, int row) {
        const FloorRow& floor = scene.rows[static_cast<std::size_t>(row)];
        return mipmap.at(floor.level, across_floor(floor, column, scene.width), floor.at);
    });
}

/// Two linear fetches along one dimension. They replace four weighted fetches of single texels: see
/// kernels/4_bicubic.cuh.
struct Fetches {
    std::array<float, 2> at;
    std::array<float, 2> weight;
};

Fetches two_fetches(float x) {
    const auto polynomial = [](float t, auto... coefficients) {
        float sum = 0;
        ((sum = std::fma(sum, t, coefficients)), ...);
        return sum;
    };
    const auto share_of_second = [&](float t) {
        return polynomial(t, 0.0883117F, -0.26847626F, 0.34328727F, -0.44450558F, 0.48126399F, 0.79998192F);
    };
    const float centre = std::floor(x - 0.5F) + 0.5F;
    const float t = x - centre;
    const float near = polynomial(t, 1.0F / 3, -0.5F, -0.5F, 5.0F / 6);
    return {{centre - 1 + share_of_second(t), centre + 2 - share_of_second(1 - t)}, {near, 1 - near}};
}

/// Returns fma(weight, a, b) for each component.
Texel times_plus(float weight, const Texel& a, const Texel& b) {
    Texel sum{};
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] = std::fma(weight, a[c], b[c]);
    return sum;
}

}  // namespace

Image fetched(const Scene& scene) {
    if (scene.shape == TextureShape::layers) return of_layers(scene);
    if (scene.shape == TextureShape::cube) return of_cube(scene);
    if (scene.shape == TextureShape::levels) return of_levels(scene);
    const TextureModel model = model_of(scene);
    return draw(scene, [&](int column, int row) {
        return model.at(scene.view.x.of(column, row), scene.view.y.of(column, row),
                        scene.view.z.of(column, row));
    });
}

Image bicubic_fetched(const Scene& scene) {
    const TextureModel model = model_of(scene);
    return draw(scene, [&](int column, int row) {
        const Fetches x = two_fetches(scene.view.x.of(column, row));
        const Fetches y = two_fetches(scene.view.y.of(column, row));
        std::array<Texel, 2> rows{};
        for (std::size_t j = 0; j < 2; ++j)
            rows[j] = times_plus(x.weight[1], model.at(x.at[1], y.at[j]),
                                 times_plus(x.weight[0], model.at(x.at[0], y.at[j]), {}));
        return times_plus(y.weight[1], rows[1], times_plus(y.weight[0], rows[0], {}));
    });
}

Image looked_up(const Scene& scene) {
    TextureModel curve;
    curve.size = {static_cast<int>(scene.curve.size()), 1, 1};
    curve.filter = Filter::linear;
    for (const float value : scene.curve) curve.texels.push_back({value});
    return draw(scene, [&](int column, int row) {
        Texel pixel = scene.levels[0].begin()[std::ptrdiff_t{row} * scene.width + column];
        for (float& value : pixel) value = curve.at(std::fma(value, scene.per_value(), 0.5F))[0];
        return pixel;
    });
}

Image gathered(const Scene& scene) {
    const TextureModel model = model_of(scene);
    return draw(scene, [&](int column, int row) {
        Texel pixel{};
        for (std::size_t c = 0; c < pixel.size(); ++c) {
            const Texel corners = model.gather(scene.view.x.of(column, row), scene.view.y.of(column, row), c);
            pixel[c] = std::fabs(corners[0] - corners[2]) + std::fabs(corners[1] - corners[3]);
        }
        return pixel;
    });
}

std::string checksum(const Image& image) { return hex(crc32(std::as_bytes(std::span(image.texels)))); }

std::vector<Kernel> cpu_kernels() {
    std::vector<Kernel> kernels;
    for (const Lesson& lesson : lessons())
        kernels.push_back({.name = lesson.name,
                           .memory = "model",
                           .what = lesson.what,
                           .device = DeviceKind::cpu,
                           .lesson = lesson.name,
                           .draw = [&lesson](const Device&, const Scene& scene) {
                               Image image = lesson.model(scene);
                               return image;
                           }});
    return kernels;
}

}  // namespace cudabook::texture_unit
