// The lessons: what each shows, and how large its job is in a benchmark.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "texture_unit/cpu.hpp"
#include "texture_unit/picture/test_card.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

namespace {

// ----- Views

/// A turn by 22.6 degrees, whose sine and cosine are fractions.
constexpr double turn_cos = 12.0 / 13;
constexpr double turn_sin = 5.0 / 13;

/// In the middle of a picture of size × size pixels it is `centre`.
Coordinate coordinate(int size, double centre, double along_row, double down) {
    const double middle = (size - 1) / 2.0;
    return {static_cast<float>(centre - middle * (along_row + down)), static_cast<float>(along_row),
            static_cast<float>(down)};
}

/// The picture shows a square of `span` around the centre, turned.
View turned(int size, double centre_x, double centre_y, double span) {
    const double step = span / size;
    return {coordinate(size, centre_x, step * turn_cos, -step * turn_sin),
            coordinate(size, centre_y, step * turn_sin, step * turn_cos), coordinate(size, 0, 0, 0)};
}

/// A texel a pixel, and a little aside, so that there is something to blend.
View beside_texels() { return {{0.8F, 1, 0}, {0.7F, 0, 1}, {0.6F, 0, 0}}; }

Scene picture(int size, View view) {
    Scene scene;
    scene.width = scene.height = size;
    scene.view = view;
    return scene;
}

// ----- Scenes with a plane

constexpr int card_size = 64;

Scene of_card(int size, View view) {
    Scene scene = picture(size, view);
    scene.size = {card_size, card_size, 1};
    scene.levels = {test_card(card_size).texels};
    return scene;
}

/// A part of the card, magnified and turned.
Scene magnified(int size, Filter filter, Store store = Store::floats) {
    constexpr double texels_across = 28;
    Scene scene = of_card(size, turned(size, 20, 23, texels_across));
    scene.filter = filter;
    scene.store = store;
    return scene;
}

/// The middle of the card alone, whose outermost texels have different colours.
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

/// The card and what lies around it.
Scene tiled(int size, Address address) {
    constexpr double cards_across = 2.5;
    Scene scene = of_card(size, turned(size, 0.5, 0.5, cards_across));
    scene.address = {address, address, Address::clamp};
    scene.normalized = true;
    if (address == Address::clamp) scene = without_edge(scene);
    return scene;
}

/// size × size texels, as many pixels.
Scene plane_job(int size, Filter filter, Store store = Store::floats) {
    Scene scene = picture(size, beside_texels());
    scene.size = {size, size, 1};
    scene.filter = filter;
    scene.store = store;
    return scene;
}

Scene address_job(int size, Address address) {
    Scene scene = plane_job(size, Filter::linear);
    scene.address = {address, address, Address::clamp};
    scene.normalized = true;
    for (Coordinate* coordinate : {&scene.view.x, &scene.view.y})
        for (float* part : {&coordinate->at, &coordinate->along_row, &coordinate->down})
            *part /= static_cast<float>(size);
    return scene;
}

// ----- Scenes of other shapes

Scene line(int size) {
    constexpr int texels = 16;
    Scene scene = picture(size, turned(size, texels / 2.0, 0, texels));
    scene.shape = Shape::line;
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

Scene line_job(int size) {
    Scene scene = picture(size, beside_texels());
    scene.shape = Shape::line;
    scene.size = {std::min(size, 16384), 1, 1};
    return scene;
}

/// A slanting slice.
Scene slice(int size) {
    constexpr int side = 32;
    Scene scene = picture(size, turned(size, side / 2.0, side / 2.0, side));
    const double tilt = side / (4.0 * size);
    scene.view.z = coordinate(size, side / 2.0, tilt, tilt);
    scene.shape = Shape::volume;
    scene.size = {side, side, side};
    scene.levels = {volume(side)};
    return scene;
}

Scene volume_job(int size) {
    const auto texels = static_cast<long long>(size) * size;
    int side = 1;
    while (8LL * side * side * side <= 2 * texels) side *= 2;
    Scene scene = picture(side, beside_texels());
    scene.slices = static_cast<int>(texels / side / side);
    scene.shape = Shape::volume;
    scene.size = {side, side, scene.slices};
    return scene;
}

constexpr int tiles = 4;

Scene layers(int size) {
    constexpr int side = 16;
    const int tile = (size + tiles - 1) / tiles;
    const float step = static_cast<float>(side) / static_cast<float>(tile);
    Scene scene = picture(size, {{step / 2, step, 0}, {step / 2, 0, step}, {}});
    scene.shape = Shape::layers;
    scene.tiles = tiles;
    scene.size = {side, side, tiles * tiles};
    std::vector<Texel> texels;
    for (const Image& glyph : glyphs(side))
        texels.insert(texels.end(), glyph.texels.begin(), glyph.texels.end());
    scene.levels = {texels};
    return scene;
}

Scene layers_job(int size) {
    Scene scene = picture(size, beside_texels());
    scene.shape = Shape::layers;
    scene.tiles = tiles;
    scene.size = {size / tiles, size / tiles, tiles * tiles};
    return scene;
}

Scene cube(int size, bool seamless) {
    constexpr int side = 32;
    Scene scene = picture(size, {});
    scene.shape = Shape::cube;
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

Scene cube_job(int size, bool seamless) {
    Scene scene = picture(size, {});
    scene.shape = Shape::cube;
    scene.size = {size / 2, size / 2, 6};
    scene.normalized = true;
    scene.seamless = seamless;
    return scene;
}

Scene levels(int size, Filter level_filter, float bias) {
    constexpr int side = 128;
    Scene scene = picture(size, {});
    scene.shape = Shape::levels;
    scene.size = {side, side, 1};
    scene.address = {Address::wrap, Address::wrap, Address::clamp};
    scene.normalized = true;
    scene.level_filter = level_filter;
    scene.bias = bias;
    for (const Image& level : mip_levels(test_card(side))) scene.levels.push_back(level.texels);
    // A floor: a row is as far away as it is near the horizon, which is the picture's upper edge.
    for (int row = 0; row < size; ++row) {
        const double distance = size / (row + 0.5);  // 1 at the lower edge
        const double scale = distance / size;        // of a column, and at the lower edge nearly of a row
        scene.rows.push_back({static_cast<float>(scale), static_cast<float>(-distance),
                              static_cast<float>(std::log2(scale * side))});
    }
    return scene;
}

Scene levels_job(int size, Filter level_filter, float bias) {
    Scene scene = picture(size, {});
    scene.shape = Shape::levels;
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

constexpr float brightest = 255;

/// A curve that brightens what is dark.
std::vector<float> tone_curve(int entries) {
    std::vector<float> curve;
    for (int i = 0; i < entries; ++i)
        curve.push_back(
            std::round(brightest * std::sqrt(static_cast<float>(i) / static_cast<float>(entries - 1))));
    return curve;
}

Scene lookup(int size) {
    constexpr int entries = 16;
    Scene scene = picture(size, {});
    scene.size = {size, size, 1};
    scene.levels = {test_card(size).texels};
    scene.curve = tone_curve(entries);
    return scene;
}

Scene lookup_job(int size) {
    constexpr int entries = 256;
    Scene scene = picture(size, {});
    scene.size = {size, size, 1};
    scene.curve = tone_curve(entries);
    return scene;
}

Scene with_gather(Scene scene) {
    scene.gather = true;
    return scene;
}

// ----- How far the unit can be from exact arithmetic

/// A coordinate is rounded to 1/256 of a texel, so a weight is wrong by at most 1/512; in two dimensions the
/// products of weights are rounded as well, by as much, and each moves weight between two pairs of texels.
constexpr double bound_of_line = 255.0 / 512;
constexpr double bound_of_plane = 4 * bound_of_line;
/// One more coordinate, and one more rounding for each plane.
constexpr double bound_of_volume = 8 * bound_of_line;
/// Two levels, with weights that are cut off at 1/256.
constexpr double bound_of_levels = 2 * bound_of_plane + 2 * bound_of_line;

/// The unit knows linear values to 1/128 at the bright end, and keeps 11 bits of a blend.
constexpr double bound_of_srgb = bound_of_plane + 255.0 / 256 + 255.0 / 4096;

}  // namespace

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> all = [] {
        const auto address = [](const char* name, const char* what, Address mode) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [mode](int size) { return tiled(size, mode); },
                          .job = [mode](int size) { return address_job(size, mode); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_plane};
        };
        const auto sky_of = [](const char* name, const char* what, bool seamless) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return cube(size, seamless); },
                          .job = [=](int size) { return cube_job(size, seamless); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_plane};
        };
        const auto mipmap = [](const char* name, const char* what, Filter filter, float bias) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return levels(size, filter, bias); },
                          .job = [=](int size) { return levels_job(size, filter, bias); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_levels};
        };
        const auto card = [](const char* name, const char* what, Filter filter, Store store, double bound) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return magnified(size, filter, store); },
                          .job = [=](int size) { return plane_job(size, filter, store); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound};
        };
        std::vector<Lesson> list{
            card("point", "no filter: the nearest texel", Filter::point, Store::floats, 0),
            {.name = "linear1d",
             .what = "linear filtering in one dimension",
             .scene = line,
             .job = line_job,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_line},
            card("linear", "in two dimensions", Filter::linear, Store::floats, bound_of_plane),
            {.name = "linear3d",
             .what = "in three: a slice through a volume",
             .scene = slice,
             .job = volume_job,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_volume},
            address("clamp", "beyond the edges: the nearest texel", Address::clamp),
            address("border", "beyond the edges: 0", Address::border),
            address("wrap", "beyond the edges: the texture again", Address::wrap),
            address("mirror", "beyond the edges: its mirror image", Address::mirror),
            {.name = "bicubic",
             .what = "a smoother filter of four linear fetches",
             .scene = [](int size) { return magnified(size, Filter::linear); },
             .job = [](int size) { return plane_job(size, Filter::linear); },
             .model = bicubic_fetched,
             .exact = bicubic_exact,
             .bound = bound_of_plane},
            {.name = "lookup",
             .what = "a tone curve from a table of 16 entries",
             .scene = lookup,
             .job = lookup_job,
             .model = looked_up,
             .exact = looked_up_exactly,
             .bound = bound_of_line},
            {.name = "layered",
             .what = "sixteen layers behind one texture object",
             .scene = layers,
             .job = layers_job,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_plane},
            sky_of("cubemap", "a sky of six faces, filtered each on its own", false),
            sky_of("cubemap_seamless", "the same, filtered across their edges", true),
            {.name = "gather",
             .what = "edges, from four texels in one fetch",
             .scene = [](int size) { return with_gather(magnified(size, Filter::linear)); },
             .job = [](int size) { return with_gather(plane_job(size, Filter::linear)); },
             .model = gathered,
             .exact = gathered_exactly,
             .bound = 2 * 255},  // where rounding chooses other texels
            mipmap("mipmap", "a floor: two levels of a mipmap, blended", Filter::linear, 0),
            mipmap("mipmap_level", "the nearest level alone", Filter::point, 0),
            mipmap("mipmap_bias", "levels that are 1.5 too small", Filter::linear, 1.5F),
            card("integers", "bytes as whole numbers, without a filter", Filter::point, Store::integers, 0),
            card("fractions", "bytes as fractions, filtered", Filter::linear, Store::fractions,
                 bound_of_plane),
            card("srgb", "bytes as fractions encoded as sRGB, decoded and then filtered", Filter::linear,
                 Store::srgb, bound_of_srgb),
        };
        const std::vector<std::pair<std::string, std::string>> checksums{
            {"point", "7c77d8d9"},
            {"linear1d", "acef6beb"},
            {"linear", "c26d2aa8"},
            {"linear3d", "18e2f5df"},
            {"clamp", "550ce57b"},
            {"border", "d39e4129"},
            {"wrap", "88ac793a"},
            {"mirror", "03f851b5"},
            {"bicubic", "de9749b8"},
            {"lookup", "67b75137"},
            {"layered", "e4a322db"},
            {"cubemap", "a2192fcd"},
            {"cubemap_seamless", "b4da4069"},
            {"gather", "ca770ef6"},
            {"mipmap", "90d4643e"},
            {"mipmap_level", "3f6d94b9"},
            {"mipmap_bias", "870896ad"},
            {"integers", "7c77d8d9"},
            {"fractions", "834c526a"},
            {"srgb", "378a98b9"},
        };
        for (const auto& [name, sum] : checksums)
            std::ranges::find(list, name, &Lesson::name)->checksum = sum;
        return list;
    }();
    return all;
}

const Lesson& lesson(const std::string& name) {
    const auto found = std::ranges::find(lessons(), name, &Lesson::name);
    if (found == lessons().end()) throw std::out_of_range("there is no lesson " + name);
    return *found;
}

}  // namespace cudabook::texture_unit
