#include "texture_unit/jobs.hpp"

#include <algorithm>

#include "texture_unit/scenes.hpp"

namespace cudabook::texture_unit::jobs {

namespace {

/// A view with one texel per pixel. The points are not at the texels' centres, so that the filter must
/// blend.
constexpr View beside_texels{{0.8F, 1, 0}, {0.7F, 0, 1}, {0.6F, 0, 0}};

}  // namespace

Scene plane(int size, Filter filter, Store store) {
    Scene scene = scene_of(size, beside_texels);
    scene.size = {size, size, 1};
    scene.filter = filter;
    scene.store = store;
    return scene;
}

Scene address(int size, Address mode) {
    Scene scene = plane(size, Filter::linear);
    scene.address = {mode, mode, Address::clamp};
    scene.normalized = true;
    for (Coordinate* coordinate : {&scene.view.x, &scene.view.y})
        for (float* part : {&coordinate->at, &coordinate->along_row, &coordinate->down})
            *part /= static_cast<float>(size);
    return scene;
}

Scene line(int size) {
    Scene scene = scene_of(size, beside_texels);
    scene.shape = TextureShape::line;
    scene.size = {std::min(size, 16384), 1, 1};
    return scene;
}

Scene volume(int size) {
    const auto texels = static_cast<long long>(size) * size;
    int side = 1;
    while (8LL * side * side * side <= 2 * texels) side *= 2;
    Scene scene = scene_of(side, beside_texels);
    scene.slices = static_cast<int>(texels / side / side);
    scene.shape = TextureShape::volume;
    scene.size = {side, side, scene.slices};
    return scene;
}

Scene layers(int size) {
    Scene scene = scene_of(size, beside_texels);
    scene.shape = TextureShape::layers;
    scene.tiles = scenes::tiles_across;
    scene.size = {size / scenes::tiles_across, size / scenes::tiles_across,
                  scenes::tiles_across * scenes::tiles_across};
    return scene;
}

Scene cube(int size, bool seamless) {
    Scene scene = scene_of(size, {});
    scene.shape = TextureShape::cube;
    scene.size = {size / 2, size / 2, 6};
    scene.normalized = true;
    scene.seamless = seamless;
    return scene;
}

Scene levels(int size, Filter level_filter, float bias) {
    Scene scene = scene_of(size, {});
    scene.shape = TextureShape::levels;
    scene.size = {size, size, 1};
    scene.address = {Address::wrap, Address::wrap, Address::clamp};
    scene.normalized = true;
    scene.level_filter = level_filter;
    scene.bias = bias;
    const auto texel = 1 / static_cast<float>(size);
    const float level = level_filter == Filter::linear ? 0.5F : 0;
    for (int row = 0; row < size; ++row)
        scene.rows.push_back({texel, (static_cast<float>(row) + 0.7F) * texel, level - bias});
    return scene;
}

Scene lookup(int size) {
    constexpr int entries = 256;
    Scene scene = scene_of(size, {});
    scene.size = {size, size, 1};
    scene.curve = scenes::tone_curve(entries);
    return scene;
}

}  // namespace cudabook::texture_unit::jobs
