#include "texture_unit/scenes.hpp"

#include <cmath>
#include <vector>

#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit::scenes {

namespace {

/// A turn by 22.6 degrees, whose sine and cosine are fractions.
constexpr double turn_cos = 12.0 / 13;
constexpr double turn_sin = 5.0 / 13;

constexpr int card_size = 64;

/// Returns a coordinate that has the value `centre` in the middle of a picture of size × size pixels.
Coordinate coordinate(int size, double centre, double along_row, double down) {
    const double middle = (size - 1) / 2.0;
    return {static_cast<float>(centre - middle * (along_row + down)), static_cast<float>(along_row),
            static_cast<float>(down)};
}

/// A view of a square with side `span` around the centre, turned.
View turned(int size, double centre_x, double centre_y, double span) {
    const double step = span / size;
    return {coordinate(size, centre_x, step * turn_cos, -step * turn_sin),
            coordinate(size, centre_y, step * turn_sin, step * turn_cos), coordinate(size, 0, 0, 0)};
}

Scene of_card(int size, View view) {
    Scene scene = scene_of(size, view);
    scene.size = {card_size, card_size, 1};
    scene.levels = {test_card(card_size).texels};
    return scene;
}

/// Returns the scene with only the middle of the card. The middle's outermost texels have different
/// colours.
Scene without_edge(Scene scene) {
    constexpr int side = card_size / 2;
    std::vector<Texel> middle;
    for (int y = 0; y < side; ++y) {
        const auto row = scene.levels[0].begin() + std::ptrdiff_t{y + side / 2} * card_size + side / 2;
        middle.insert(middle.end(), row, row + side);
    }
    scene.size = {side, side, 1};
    scene.levels = {middle};
    return scene;
}

}  // namespace

Scene magnified(int size, Filter filter, Store store) {
    constexpr double texels_across = 28;
    Scene scene = of_card(size, turned(size, 20, 23, texels_across));
    scene.filter = filter;
    scene.store = store;
    return scene;
}

Scene tiled(int size, Address address) {
    constexpr double cards_across = 2.5;
    Scene scene = of_card(size, turned(size, 0.5, 0.5, cards_across));
    scene.address = {address, address, Address::clamp};
    scene.normalized = true;
    if (address == Address::clamp) scene = without_edge(scene);
    return scene;
}

Scene line(int size) {
    constexpr int texels = 16;
    Scene scene = scene_of(size, turned(size, texels / 2.0, 0, texels));
    scene.shape = TextureShape::line;
    scene.size = {texels, 1, 1};
    std::vector<Texel> colours;
    for (int i = 0; i < texels; ++i) {
        const int blue = 255 - i / 4 * 85;
        colours.push_back(
            {static_cast<float>(i * 17), static_cast<float>(i % 2 * 255), static_cast<float>(blue), 255});
    }
    scene.levels = {colours};
    return scene;
}

Scene steps(int size) {
    Scene scene = scene_of(size, turned(size, 1, 0, 1.0 / 8));
    scene.shape = TextureShape::line;
    scene.size = {2, 1, 1};
    scene.levels = {{Texel{0, 0, 0, 255}, Texel{255, 255, 255, 255}}};
    return scene;
}

Scene slice(int size) {
    constexpr int side = 32;
    Scene scene = scene_of(size, turned(size, side / 2.0, side / 2.0, side));
    const double tilt = side / (4.0 * size);
    scene.view.z = coordinate(size, side / 2.0, tilt, tilt);
    scene.shape = TextureShape::volume;
    scene.size = {side, side, side};
    scene.levels = {volume(side)};
    return scene;
}

Scene layers(int size) {
    constexpr int side = 16;
    const int tile = (size + tiles_across - 1) / tiles_across;
    const float step = static_cast<float>(side) / static_cast<float>(tile);
    Scene scene = scene_of(size, {{step / 2, step, 0}, {step / 2, 0, step}, {}});
    scene.shape = TextureShape::layers;
    scene.tiles = tiles_across;
    scene.size = {side, side, tiles_across * tiles_across};
    std::vector<Texel> texels;
    for (const Image& glyph : glyphs(side))
        texels.insert(texels.end(), glyph.texels.begin(), glyph.texels.end());
    scene.levels = {texels};
    return scene;
}

Scene cube(int size, bool seamless) {
    constexpr int side = 8;
    Scene scene = scene_of(size, {});
    scene.shape = TextureShape::cube;
    scene.size = {side, side, 6};
    scene.normalized = true;
    scene.seamless = seamless;
    std::vector<Texel> texels;
    for (int face = 0; face < 6; ++face) {
        const Image drawn = sky(face, side);
        texels.insert(texels.end(), drawn.texels.begin(), drawn.texels.end());
    }
    scene.levels = {texels};
    return scene;
}

Scene levels(int size, Filter level_filter, float bias) {
    constexpr int side = 128;
    Scene scene = scene_of(size, {});
    scene.shape = TextureShape::levels;
    scene.size = {side, side, 1};
    scene.address = {Address::wrap, Address::wrap, Address::clamp};
    scene.normalized = true;
    scene.level_filter = level_filter;
    scene.bias = bias;
    for (const Image& level : mip_levels(test_card(side))) scene.levels.push_back(level.texels);
    // A floor: the distance of a row is inversely proportional to its distance from the horizon, which is the
    // upper edge of the picture.
    for (int row = 0; row < size; ++row) {
        const double distance = size / (row + 0.5);  // 1 at the lower edge
        const double scale = distance / size;        // per column, and at the lower edge almost per row
        scene.rows.push_back({static_cast<float>(scale), static_cast<float>(-distance),
                              static_cast<float>(std::log2(scale * side))});
    }
    return scene;
}

std::vector<float> tone_curve(int entries) {
    std::vector<float> curve;
    for (int i = 0; i < entries; ++i)
        curve.push_back(std::round(255 * std::sqrt(static_cast<float>(i) / static_cast<float>(entries - 1))));
    return curve;
}

Scene lookup(int size) {
    constexpr int entries = 16;
    Scene scene = scene_of(size, {});
    scene.size = {size, size, 1};
    scene.levels = {test_card(size).texels};
    scene.curve = tone_curve(entries);
    return scene;
}

Scene with_gather(Scene scene) {
    scene.gather = true;
    return scene;
}

}  // namespace cudabook::texture_unit::scenes
