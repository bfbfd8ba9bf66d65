// texture_unit/demo/look.hpp: where a pixel lies in the texture, and what keys, drags and the wheel change.
#include "texture_unit/demo/look.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cudabook::texture_unit {
namespace {

constexpr Size picture{320, 200};
constexpr Size texture{64, 32};
constexpr Size half{32, 16};

bool same(const Look& one, const Look& other) {
    return one.centre.x == other.centre.x && one.centre.y == other.centre.y && one.zoom == other.zoom &&
           one.angle == other.angle && one.filter == other.filter && one.address == other.address &&
           one.normalized == other.normalized && one.level == other.level &&
           one.level_filter == other.level_filter && one.grid == other.grid;
}

void expect_near(Place one, Place other, double distance = 1e-9) {
    EXPECT_NEAR(one.x, other.x, distance);
    EXPECT_NEAR(one.y, other.y, distance);
}

Look turned_look() {
    Look look = turned(first_look(texture, picture), 30);
    look.zoom = 7;
    return look;
}

TEST(LookAtTexture, BeginsWithTheWholeTexture) {
    const Look look = first_look(texture, picture);
    for (const Place corner : {Place{0, 0}, Place{64, 0}, Place{0, 32}, Place{64, 32}}) {
        const Place pixel = pixel_at(look, picture, corner);
        EXPECT_GT(pixel.x, picture.width * 0.4) << "to the right of the panel";
        EXPECT_LT(pixel.x, picture.width);
        EXPECT_GT(pixel.y, 0);
        EXPECT_LT(pixel.y, picture.height);
    }
    EXPECT_GT(pixel_at(look, picture, {0, 0}).y, pixel_at(look, picture, {0, 32}).y) << "row 0 is at the top";
    EXPECT_EQ(first_look({4096, 4096}, picture).zoom, least_zoom);
    EXPECT_EQ(first_look({1, 1}, {4000, 4000}).zoom, most_zoom);
}

TEST(LookAtTexture, PixelsToTexelsAndBack) {
    for (int angle = 0; angle < 360; angle += turn_degrees) {
        const Look look = turned(turned_look(), angle);
        expect_near(texel_at(look, picture, pixel_at(look, picture, {3, -5})), {3, -5});
    }
    Look look;
    look.zoom = 10;
    expect_near(texel_at(look, picture, {160 + 25, 100 + 35}), {2.5, -3.5});
}

TEST(LookAtTexture, TurnsAnticlockwise) {
    Look look = turned(Look{}, 90);
    expect_near(pixel_at(look, picture, {1, 0}), {160, 101});
    EXPECT_EQ(turned(look, -105).angle, 345);
    EXPECT_EQ(turned(look, 270).angle, 0);
}

TEST(LookAtTexture, CoordinatesOfPixels) {
    Look look = turned_look();
    for (const Cell pixel : {Cell{0, 0}, Cell{319, 0}, Cell{17, 199}}) {
        const Place place = texel_at(look, picture, middle_of(pixel));
        look.normalized = true;
        const View normalized = view_of(look, picture, texture, half);
        expect_near({normalized.x.of(pixel.x, pixel.y), normalized.y.of(pixel.x, pixel.y)},
                    {place.x / 64, place.y / 32}, 1e-6);
        look.normalized = false;
        const View in_texels = view_of(look, picture, texture, half);
        expect_near({in_texels.x.of(pixel.x, pixel.y), in_texels.y.of(pixel.x, pixel.y)},
                    {place.x / 2, place.y / 2}, 1e-5);
    }
}

TEST(LookAtTexture, LevelsThatAreRead) {
    Look look;
    look.level = 1.75F;
    EXPECT_EQ(look.levels_read(7).index, (std::array{1, 2}));
    EXPECT_EQ(look.levels_read(7).second, 0.75);
    look.level_filter = Filter::point;
    EXPECT_EQ(look.levels_read(7).index, (std::array{2, 2}));
    look.level_filter = Filter::linear;
    look.normalized = false;
    EXPECT_EQ(look.levels_read(7).index, (std::array{2, 2})) << "one level alone";
    EXPECT_EQ(look.levels_read(2).index, (std::array{1, 1}));
}

TEST(LookAtTexture, ADragMovesTheTextureWithTheMouse) {
    const Look before = turned_look();
    const Look after = dragged(before, picture, {10, 20}, {100, 150});
    expect_near(texel_at(after, picture, middle_of({100, 150})),
                texel_at(before, picture, middle_of({10, 20})));
    Look far = before;
    far.zoom = least_zoom;
    for (int i = 0; i < 1000; ++i) far = dragged(far, picture, {0, 0}, {319, 199});
    EXPECT_LE(std::fabs(far.centre.x), 1 << 14);
    EXPECT_LE(std::fabs(far.centre.y), 1 << 14);
}

TEST(LookAtTexture, TheWheelZoomsAtTheMouse) {
    const Look before = turned_look();
    const Cell at{300, 20};
    for (const double steps : {4.0, -4.0, 0.5, 100.0, -100.0}) {
        const Look after = zoomed(before, picture, steps, at);
        EXPECT_EQ(after.zoom, std::clamp(before.zoom * std::exp2(steps / 4), least_zoom, most_zoom));
        expect_near(texel_at(after, picture, middle_of(at)), texel_at(before, picture, middle_of(at)));
    }
}

/// What the look becomes by the key, pressed `times` times.
Look by_key(Look look, char key, bool shift = false, int times = 1) {
    for (int i = 0; i < times; ++i) look = after_key(look, {key, shift}, 7);
    return look;
}

TEST(LookAtTexture, Keys) {
    Look start = turned_look();
    start.address = {Address::clamp, Address::clamp};
    EXPECT_EQ(by_key(start, 'L').filter, Filter::point);
    EXPECT_EQ(by_key(start, 'X').address, (std::array{Address::border, Address::clamp}));
    EXPECT_EQ(by_key(start, 'Y').address, (std::array{Address::clamp, Address::border}));
    EXPECT_EQ(by_key(start, 'X', false, 2).address[0], Address::wrap);
    EXPECT_EQ(by_key(start, 'X', false, 3).address[0], Address::mirror);
    EXPECT_EQ(by_key(start, 'Y', true).address[1], Address::mirror);
    EXPECT_FALSE(by_key(start, 'N').normalized);
    EXPECT_EQ(by_key(start, 'M').level, level_step);
    EXPECT_EQ(by_key(start, 'M', true).level, 0);
    EXPECT_EQ(by_key(start, 'M', false, 100).level, 6);
    EXPECT_EQ(by_key(by_key(start, 'M', false, 100), 'M', true).level, 6 - level_step);
    EXPECT_EQ(by_key(start, 'B').level_filter, Filter::point);
    EXPECT_EQ(by_key(start, 'T').angle, 30 + turn_degrees);
    EXPECT_EQ(by_key(start, 'T', true).angle, 30 - turn_degrees);
    EXPECT_FALSE(by_key(start, 'G').grid);
    for (const char twice : {'L', 'N', 'B', 'G'})
        EXPECT_TRUE(same(by_key(start, twice, false, 2), start)) << twice;
    for (const char four : {'X', 'Y'}) EXPECT_TRUE(same(by_key(start, four, false, 4), start)) << four;
    EXPECT_TRUE(same(by_key(start, 'T', false, 360 / turn_degrees), start));
    for (const char none : {'A', 'K', 'Z', ' ', '.'}) EXPECT_TRUE(same(by_key(start, none), start)) << none;
}

}  // namespace
}  // namespace cudabook::texture_unit
