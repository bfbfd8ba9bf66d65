// common/texture_model/: compared with the CUDA C++ Programming Guide, in numbers calculated by hand.
#include "common/texture_model/model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "common/texture_model/border.hpp"

namespace cudabook::texture_unit {
namespace {

TextureModel line(const std::vector<float>& values, Filter filter, bool normalized = false,
                  Address address = Address::clamp) {
    TextureModel model;
    model.size = {static_cast<int>(values.size()), 1, 1};
    for (const float value : values) model.texels.push_back({value});
    model.address[0] = address;
    model.filter = filter;
    model.normalized = normalized;
    return model;
}

/// The first component at each coordinate.
std::vector<float> along(const TextureModel& model, const std::vector<float>& xs) {
    std::vector<float> values;
    for (const float x : xs) values.push_back(model.at(x)[0]);
    return values;
}

using Values = std::vector<float>;

TEST(TextureModel, PointReadsTheTexelAroundIt) {
    const TextureModel model = line({10, 11, 12, 13}, Filter::point);
    EXPECT_EQ(along(model, {0, 0.5F, 0.99999994F, 1, 1.5F, 2.75F, 3, 3.9999998F}),
              (Values{10, 10, 10, 11, 11, 12, 13, 13}));
}

TEST(TextureModel, PointWithNormalizedCoordinates) {
    const TextureModel model = line({10, 11, 12, 13}, Filter::point, true);
    EXPECT_EQ(along(model, {0, 0.125F, 0.24999999F, 0.25F, 0.5F, 0.75F, 0.99999994F}),
              (Values{10, 10, 10, 11, 12, 13, 13}));
}

TEST(TextureModel, LinearBlendsTheTwoAroundIt) {
    const TextureModel model = line({0, 1, 2, 3}, Filter::linear);
    EXPECT_EQ(along(model, {0.5F, 1, 1.25F, 1.5F, 2.125F, 3, 3.5F}),
              (Values{0, 0.5F, 0.75F, 1, 1.625F, 2.5F, 3}));
}

TEST(TextureModel, LinearWithNormalizedCoordinates) {
    const TextureModel model = line({0, 1, 2, 3}, Filter::linear, true);
    EXPECT_EQ(along(model, {0.125F, 0.25F, 0.3125F, 0.5F, 0.875F}), (Values{0, 0.5F, 0.75F, 1.5F, 3}));
}

TEST(TextureModel, WeightsAreMultiplesOf256thsAndReachOne) {
    const TextureModel model = line({0, 256}, Filter::linear);
    for (int k = 0; k <= 256; ++k) {
        const float x = 0.5F + static_cast<float>(k) / 256;
        const auto weight = static_cast<float>(k);
        EXPECT_EQ(along(model, {x - 0x1p-10F, x, x + 0x1p-10F}), (Values{weight, weight, weight})) << k;
    }
    // The example in the guide's section on gathering: 1.99805 is rounded to 2.
    EXPECT_EQ(line({0, 0, 1, 2}, Filter::linear).at(2.49805F)[0], 1);
    EXPECT_EQ(in_256ths(1.99805), 2);
}

TEST(TextureModel, ClampRepeatsTheEdge) {
    for (const Filter filter : {Filter::point, Filter::linear}) {
        EXPECT_EQ(along(line({4, 5, 6}, filter), {-1e9F, -1, -0.25F, 0, 0.25F, 2.75F, 3, 3.5F, 1e9F}),
                  (Values{4, 4, 4, 4, 4, 6, 6, 6, 6}));
        EXPECT_EQ(along(line({4, 5, 6, 7}, filter, true), {-3, -0.25F, 0, 0.0625F, 0.9375F, 1, 1e9F}),
                  (Values{4, 4, 4, 4, 7, 7, 7}));
    }
}

TEST(TextureModel, BorderIsReadOutOfRangeAndBlendedAtTheEdge) {
    EXPECT_EQ(
        along(line({4, 5, 6}, Filter::point, false, Address::border), {-1e9F, -0.25F, 0, 2.75F, 3, 1e9F}),
        (Values{0, 0, 4, 6, 0, 0}));
    TextureModel model = line({4, 5, 6, 8}, Filter::linear, false, Address::border);
    EXPECT_EQ(along(model, {-0.5F, -0.25F, 0, 0.25F, 0.5F, 3.75F, 4, 4.5F}),
              (Values{0, 1, 2, 3, 4, 6, 4, 0}));
    model.border = {16};
    EXPECT_EQ(along(model, {-9, 0, 0.5F, 4, 9}), (Values{16, 10, 4, 12, 16}));
    model.normalized = true;
    EXPECT_EQ(along(model, {-0.125F, 0, 0.125F, 1, 1.125F}), (Values{16, 10, 4, 12, 16}));
}

TEST(TextureModel, WrapKeepsTheFraction) {
    const TextureModel point = line({10, 11, 12, 13}, Filter::point, true, Address::wrap);
    // The guide: 1.25 is 0.25, and -1.25 is 0.75.
    EXPECT_EQ(along(point, {1.25F, -1.25F, 0.25F, 0.75F, 1, -1, 1000.5F, -0x1p-30F, -1e-20F}),
              (Values{11, 13, 11, 13, 10, 10, 12, 13, 13}));
    const TextureModel linear = line({10, 11, 12, 13}, Filter::linear, true, Address::wrap);
    EXPECT_EQ(along(linear, {0, 1, -1, 0.0625F, 0.9375F, 1.3125F}),
              (Values{11.5F, 11.5F, 11.5F, 10.75F, 12.25F, 10.75F}));
    EXPECT_EQ(along(line({7}, Filter::linear, true, Address::wrap), {-3.3F, 0, 0.5F, 8.1F}),
              (Values{7, 7, 7, 7}));
}

TEST(TextureModel, MirrorReversesEveryOtherPeriod) {
    const TextureModel point = line({10, 11, 12, 13}, Filter::point, true, Address::mirror);
    EXPECT_EQ(along(point, {0.1F, 1.1F, 2.1F, -0.1F, -1.1F, -2.1F}), (Values{10, 13, 10, 10, 13, 10}));
    EXPECT_EQ(along(point, {0, 1, 2, -1, -1e-20F}), (Values{10, 13, 10, 13, 10}));
    const TextureModel linear = line({10, 11, 12, 13}, Filter::linear, true, Address::mirror);
    EXPECT_EQ(along(linear, {0, 1, -0.0625F, 0.0625F, 0.3125F, 1.3125F, 1.6875F, -0.3125F, -2.3125F}),
              (Values{10, 13, 10, 10, 10.75F, 12.25F, 10.75F, 10.75F, 10.75F}));
}

TEST(TextureModel, WrapAndMirrorNeedNormalizedCoordinates) {
    for (const Address address : {Address::wrap, Address::mirror})
        for (const Filter filter : {Filter::point, Filter::linear})
            EXPECT_EQ(along(line({4, 5, 6}, filter, false, address), {-1.25F, 0, 3, 4.25F}),
                      (Values{4, 4, 6, 6}));
}

TEST(TextureModel, PlanesAndVolumes) {
    TextureModel model;
    model.size = {2, 2, 2};
    for (int i = 0; i < 8; ++i)
        model.texels.push_back({static_cast<float>(1 << i), 0, 0, static_cast<float>(i)});
    EXPECT_EQ(model.at(1.5F, 0.5F, 1.5F), (Texel{32, 0, 0, 5}));
    EXPECT_EQ(model.at(-7, 9, 1), (Texel{64, 0, 0, 6}));
    model.filter = Filter::linear;
    EXPECT_EQ(model.at(1, 1, 1), (Texel{255 / 8.0F, 0, 0, 3.5F}));
    EXPECT_EQ(model.at(0.75F, 0.5F, 0.5F), (Texel{1.25F, 0, 0, 0.25F}));
    EXPECT_EQ(model.at(0.5F, 0.75F, 0.5F), (Texel{1.75F, 0, 0, 0.5F}));
    EXPECT_EQ(model.at(0.5F, 0.5F, 0.75F), (Texel{4.75F, 0, 0, 1}));
    // Each dimension has its own address mode.
    model.address = {Address::border, Address::clamp, Address::clamp};
    EXPECT_EQ(model.at(0, 0, 0)[0], 0.5F);
    EXPECT_EQ(model.at(2.5F, 0, 0)[0], 0);
}

TEST(TextureModel, ClampedPositionsAreNotBlended) {
    // Blending the first layer with itself would round up 1/256 for each half, 2/256 in all.
    TextureModel model;
    model.size = {2, 1, 2};
    model.texels = {{0}, {256}, {0}, {256}};
    model.filter = Filter::linear;
    EXPECT_EQ(model.at(0.5F + 1 / 256.0F, 0, 0)[0], 1);
    EXPECT_EQ(model.at(0.5F + 1 / 256.0F, 0, 2)[0], 1);
    EXPECT_EQ(model.at(0.5F + 1 / 256.0F, 0, 1)[0], 2);
}

TEST(TextureModel, FractionsAreBlendedInSteps) {
    TextureModel model = line({0, 1}, Filter::linear);
    model.kind = Kind::unsigned_fractions;
    EXPECT_EQ(along(model, {0.5F, 0.5F + 1 / 256.0F, 1, 1.5F}),
              (Values{0, 256 / 65535.0F, 32768 / 65535.0F, 1}));
    model = line({-1, 0}, Filter::linear);
    model.kind = Kind::signed_words;
    EXPECT_EQ(along(model, {0.5F, 1, 1.5F}), (Values{-1, -16383 / 32767.0F, 0})) << "-16383.5 is -16383";
    model.filter = Filter::point;
    model.texels = {{0.3F}, {0.4F}};
    EXPECT_EQ(along(model, {0.5F, 1.5F}), (Values{0.3F, 0.4F}));
}

TEST(TextureModel, IntegersAsNormalizedFloats) {
    EXPECT_EQ(as_fraction<std::uint8_t>(255), 1);
    EXPECT_EQ(as_fraction<std::uint8_t>(51), 0.2F);
    EXPECT_EQ(as_fraction<std::uint16_t>(65535), 1);
    EXPECT_EQ(as_fraction<std::uint16_t>(0), 0);
    EXPECT_EQ(as_fraction<std::int8_t>(127), 1);
    EXPECT_EQ(as_fraction<std::int8_t>(-127), -1);
    EXPECT_EQ(as_fraction<std::int8_t>(-128), -1);
    EXPECT_EQ(as_fraction<std::int16_t>(-32768), -1);
    EXPECT_EQ(as_fraction<std::int16_t>(-1), -1 / 32767.0F);
}

TEST(TextureModel, FetchIsNeitherFilteredNorClamped) {
    const TextureModel model = line({4, 5, 6}, Filter::linear);
    EXPECT_EQ(model.fetch(0)[0], 4);
    EXPECT_EQ(model.fetch(2)[0], 6);
    EXPECT_EQ(model.fetch(3)[0], 0);
    EXPECT_EQ(model.fetch(-1)[0], 0);
}

TEST(TextureModel, LookUpIsExactAtTheEntries) {
    const TextureModel squares = line({0, 1, 4, 9, 16}, Filter::linear);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(squares.look_up(static_cast<float>(i), 4)[0], static_cast<float>(i * i));
        EXPECT_EQ(squares.look_up(static_cast<float>(i) / 4, 1)[0], static_cast<float>(i * i));
    }
    EXPECT_EQ(squares.look_up(2.5F, 4)[0], 6.5F);
}

TEST(TextureModel, GatherOrder) {
    TextureModel model;
    model.size = {4, 3, 1};
    for (int i = 0; i < 12; ++i)
        model.texels.push_back({static_cast<float>(i), 0, static_cast<float>(100 + i)});
    EXPECT_EQ(model.gather(2, 1, 0), (Texel{5, 6, 2, 1}));
    EXPECT_EQ(model.gather(2, 1, 2), (Texel{105, 106, 102, 101}));
    EXPECT_EQ(model.gather(0, 0, 0), (Texel{0, 0, 0, 0}));
    // The guide: at 2.49805, texels 2 and 3, not 1 and 2.
    EXPECT_EQ(model.gather(2.49805F, 1, 0), (Texel{6, 7, 3, 2}));
    EXPECT_EQ(model.gather(2.49804F, 1, 0), (Texel{5, 6, 2, 1}));
}

TEST(TextureModel, LayersAreNotBlended) {
    const std::vector<TextureModel> layers{line({1, 2}, Filter::linear), line({5, 9}, Filter::linear)};
    EXPECT_EQ(layered(layers, 0, 1)[0], 1.5F);
    EXPECT_EQ(layered(layers, 1, 1)[0], 7);
    EXPECT_EQ(layered(layers, 9, 1)[0], 7);
    EXPECT_EQ(layered(layers, -1, 1)[0], 7);
}

TEST(TextureModel, CubeFacesAgreeWithTheGuide) {
    const auto expect_point = [](const CubePoint& point, int face, float s, float t) {
        EXPECT_EQ(point.face, face);
        EXPECT_EQ(point.s, s);
        EXPECT_EQ(point.t, t);
    };
    // (s / m + 1) / 2 with the guide's s and t: -z -y, z -y, x z, x -z, x -y, -x -y.
    expect_point(cube_point(4, 1, 2), 0, 0.25F, 0.375F);
    expect_point(cube_point(-4, 1, 2), 1, 0.75F, 0.375F);
    expect_point(cube_point(1, 4, 2), 2, 0.625F, 0.75F);
    expect_point(cube_point(1, -4, 2), 3, 0.625F, 0.25F);
    expect_point(cube_point(1, 2, 4), 4, 0.625F, 0.25F);
    expect_point(cube_point(1, 2, -4), 5, 0.375F, 0.25F);
    // The reciprocal of a subnormal length is infinite; the point stays on its face.
    expect_point(cube_point(1e-45F, 1e-45F, -1e-45F), 5, 0, 0);
    expect_point(cube_point(1e-45F, -1e-45F, 1e-45F), 4, 1, 1);

    std::array<TextureModel, 6> faces;
    for (std::size_t face = 0; face < 6; ++face) {
        const auto first = static_cast<float>(10 * face);
        faces[face] = line({first, first + 1, first + 2, first + 3}, Filter::point, true);
        faces[face].size = {2, 2, 1};
    }
    EXPECT_EQ(cubemap(faces, 4, 1, 2)[0], 0);
    EXPECT_EQ(cubemap(faces, -4, 1, 2)[0], 11);
    EXPECT_EQ(cubemap(faces, 1, 4, 2)[0], 23);
    EXPECT_EQ(cubemap(faces, -1, 2, -4)[0], 51);
}

/// Goes from each face across each of its edges, and back.
TEST(TextureModel, FacesMeetAtTheirEdges) {
    for (const int size : {1, 2, 5, 32768})
        for (int face = 0; face < 6; ++face)
            for (int side = 0; side < 4; ++side)
                for (const int i : {0, 1, size / 2, size - 1}) {
                    if (i >= size) continue;
                    const int inside = side % 2 == 0 ? 0 : size - 1;
                    const int outside = side % 2 == 0 ? -1 : size;
                    const CubeTexel here = side < 2 ? CubeTexel{face, inside, i} : CubeTexel{face, i, inside};
                    const CubeTexel there =
                        side < 2 ? across_edge(face, outside, i, size) : across_edge(face, i, outside, size);
                    EXPECT_NE(there.face, face);
                    EXPECT_NE(there.face, face ^ 1) << "the face behind";
                    int back = 0;
                    for (const auto& [dx, dy] : {std::array{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                        const int x = there.x + dx;
                        const int y = there.y + dy;
                        if ((x >= 0 && x < size) == (y >= 0 && y < size)) continue;
                        const CubeTexel again = across_edge(there.face, x, y, size);
                        if (again.face == here.face && again.x == here.x && again.y == here.y) ++back;
                    }
                    EXPECT_EQ(back, 1)
                        << "face " << face << ", side " << side << ", texel " << i << " of " << size;
                }
}

TEST(TextureModel, SeamlessCubesAreBlendedAcrossEdges) {
    std::array<TextureModel, 6> faces;
    for (std::size_t face = 0; face < 6; ++face) {
        const auto value = static_cast<float>(3 << face);
        faces[face] = line({value, value, value, value}, Filter::linear, true);
        faces[face].size = {2, 2, 1};
    }
    EXPECT_EQ(seamless_cubemap(faces, 1, 0, 0)[0], 3);
    EXPECT_EQ(cubemap(faces, 1, 0, 1)[0], 48);
    EXPECT_EQ(seamless_cubemap(faces, 1, 0, 1)[0], (3 + 48) / 2.0F) << "halfway between +x and +z";
    EXPECT_EQ(seamless_cubemap(faces, 0, -1, 1)[0], (24 + 48) / 2.0F);
    // The three faces have a quarter each. Of the fourth quarter, 64/256, two faces get 21/256 each, and the
    // face with the value 48 gets 22/256.
    EXPECT_EQ(seamless_cubemap(faces, 1, 1, 1)[0], (85 * 3 + 85 * 12 + 86 * 48) / 256.0F);
}

TEST(TextureModel, LevelsAreClampedAndBlended) {
    MipmapModel model;
    model.levels = {line({0, 0, 0, 0}, Filter::point, true), line({10, 10}, Filter::point, true),
                    line({20}, Filter::point, true)};
    const auto at = [&](float level) { return model.at(level, 0.5F)[0]; };
    EXPECT_EQ(at(0), 0);
    EXPECT_EQ(at(0.4F), 0);
    EXPECT_EQ(at(0.6F), 10);
    EXPECT_EQ(at(-3), 0);
    EXPECT_EQ(at(7), 20);
    model.filter = Filter::linear;
    EXPECT_EQ(at(0.25F), 2.5F);
    EXPECT_EQ(at(1.5F), 15);
    EXPECT_EQ(at(2), 20);
    model.bias = 0.5F;
    EXPECT_EQ(at(0.25F), 7.5F);
    model.least = 1;
    model.most = 1.5F;
    EXPECT_EQ(at(0), 10);
    EXPECT_EQ(at(7), 15);
}

/// NaN, infinite and distant coordinates and levels read a texel: the texel at 0, or at the edge.
TEST(TextureModel, AnyCoordinateReadsSomething) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float most = std::numeric_limits<float>::max();
    for (const Filter filter : {Filter::point, Filter::linear})
        for (const bool normalized : {false, true})
            for (const Address address : {Address::wrap, Address::clamp, Address::mirror, Address::border}) {
                const TextureModel model = line({4, 5, 6}, filter, normalized, address);
                EXPECT_EQ(model.at(nan)[0], model.at(0)[0]);
                EXPECT_EQ(model.gather(nan, -infinity, 0), model.gather(0, -infinity, 0));
                for (const float x : {infinity, -infinity, most, -most}) {
                    const float value = model.at(x)[0];
                    if (address == Address::clamp || (address != Address::border && !normalized))
                        EXPECT_EQ(value, x > 0 ? 6 : 4);
                    else if (address == Address::border)
                        EXPECT_EQ(value, 0);
                    else
                        EXPECT_TRUE(value >= 4 && value <= 6) << value;
                }
            }
    EXPECT_EQ(line({4, 5, 6}, Filter::linear).look_up(1, 0)[0], 6);

    MipmapModel levels;
    levels.levels = {line({0, 0}, Filter::point, true), line({10}, Filter::point, true)};
    for (const Filter filter : {Filter::point, Filter::linear}) {
        levels.filter = filter;
        EXPECT_EQ(levels.at(nan, 0.5F)[0], 0);
        EXPECT_EQ(levels.at(-infinity, 0.5F)[0], 0);
        EXPECT_EQ(levels.at(infinity, 0.5F)[0], 10);
        EXPECT_EQ(levels.at(most, 0.5F)[0], 10);
    }
    levels.bias = -infinity;
    EXPECT_EQ(levels.at(infinity, 0.5F)[0], 0);

    std::array<TextureModel, 6> faces;
    for (TextureModel& face : faces) face = line({7}, Filter::linear, true);
    for (const float x : {0.0F, nan, infinity, most})
        for (const float y : {0.0F, nan, -infinity, 1e-45F}) EXPECT_EQ(cubemap(faces, x, y, x)[0], 7);
}

TEST(TextureModel, OneTexelIsReadAsItIs) { EXPECT_TRUE(std::signbit(line({-0.0F}, Filter::point).at(0)[0])); }

TEST(TextureModel, Srgb) {
    EXPECT_EQ(from_srgb(0), 0);
    EXPECT_EQ(from_srgb(1), 5 * 0x1p-14F);
    EXPECT_EQ(from_srgb(10), 50 * 0x1p-14F);
    EXPECT_EQ(from_srgb(47), 466 * 0x1p-14F);
    EXPECT_EQ(from_srgb(188), 129 * 0x1p-8F);
    EXPECT_EQ(from_srgb(255), 1);
    // Beside a brighter texel, 466 is cut to 464, a multiple of 4.
    TextureModel model = line({from_srgb(47), from_srgb(48)}, Filter::linear);
    model.kind = Kind::srgb;
    EXPECT_EQ(along(model, {0.5F, 1}), (Values{466 * 0x1p-14F, 474 * 0x1p-14F}));
}

/// The bits are the results of an H200.
TEST(TextureModel, FloatsAreCutBesideALargerOne) {
    TextureModel model = line({-0x1.aac7dp-6F, -0x1.c22802p+6F}, Filter::linear);
    EXPECT_EQ(along(model, {0.5F + 1 / 256.0F, 0.5F + 3 / 256.0F}),
              (Values{-0x1.dcb9b6p-2F, -0x1.583518p+0F}));
    model = line({0x1.5dd77ap+0F, 0x1.a2922ap+0F}, Filter::linear);
    EXPECT_EQ(model.at(0.5F + 16 / 256.0F)[0], 0x1.622326p+0F) << "a half is rounded away from 0";
    model = line({-0.2237548828125F, 0.98193359375F}, Filter::linear);
    model.kind = Kind::halves;
    EXPECT_EQ(model.at(0.5F + 64 / 256.0F)[0], 0x1.3e4p-4F) << "half of a half's last place, too";
}

TEST(TextureModel, SignedBytesAreBlendedInStepsOfTheirOwn) {
    TextureModel model =
        line({unclamped_fraction<std::int8_t>(16), unclamped_fraction<std::int8_t>(17)}, Filter::linear);
    model.kind = Kind::signed_bytes;
    EXPECT_EQ(model.at(0.5F + 48 / 256.0F)[0], 4177 / 32767.0F);
    model = line({unclamped_fraction<std::int8_t>(-128), 0}, Filter::point);
    model.kind = Kind::signed_bytes;
    EXPECT_EQ(model.at(0.5F)[0], -1);
    model.filter = Filter::linear;
    EXPECT_EQ(along(model, {0.5F, 1}), (Values{-1, static_cast<float>(-16512 / 32767.0)}));

    // A gather does not blend, and still has these steps: 55/127 is 14190.4, -75/127 is -19350.8.
    model = line({unclamped_fraction<std::int8_t>(55), unclamped_fraction<std::int8_t>(-75)}, Filter::point);
    EXPECT_EQ(model.gather(1, 0.5F, 0)[3], 55 / 127.0F);
    model.kind = Kind::signed_bytes;
    const auto steps = [](int count) { return static_cast<float>(count / 32767.0); };
    EXPECT_EQ(model.gather(1, 0.5F, 0), (Texel{steps(14190), steps(-19351), steps(-19351), steps(14190)}));
    EXPECT_EQ(model.at(0.5F)[0], 55 / 127.0F);
}

/// The reciprocals of all fractions. The CRC is that of an H200's results.
TEST(TextureModel, Reciprocals) {
    std::vector<float> all(1U << 23U);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = reciprocal(std::bit_cast<float>(0x3f800000U + i));
    EXPECT_EQ(hex(crc32(std::as_bytes(std::span(all)))), "a9f2ecfc");
    EXPECT_EQ(reciprocal(-4), -0.25F);
    EXPECT_EQ(reciprocal(1e-40F), std::numeric_limits<float>::infinity());
    EXPECT_EQ(reciprocal(0x1p127F), 0);
}

TEST(TextureModel, Borders) {
    EXPECT_EQ(border_code<std::uint8_t>(0.5F), 127);
    EXPECT_EQ(border_code<std::uint8_t>(0.1471773386F), 37) << "not 38, though it is 37.53";
    EXPECT_EQ(border_code<std::int8_t>(-2), -127);
    EXPECT_EQ(border_code<std::uint16_t>(7), 65535);
    EXPECT_EQ(from_half(border_half(0.9999999F)), 0.99951171875F);
    EXPECT_EQ(from_half(border_half(1e10F)), 65504);
    EXPECT_EQ(from_half(border_half(3e-8F)), 0);
    EXPECT_EQ(from_srgb(border_srgb(0.5F)), 0.50390625F);
}

TEST(TextureModel, Halves) {
    EXPECT_EQ(from_half(0x3c00), 1);
    EXPECT_EQ(from_half(0xc500), -5);
    EXPECT_EQ(from_half(0x7bff), 65504);
    EXPECT_EQ(from_half(0x0001), 0x1p-24F);
    EXPECT_EQ(from_half(0x83ff), -1023 * 0x1p-24F);
    EXPECT_EQ(from_half(0x0400), 0x1p-14F);
    EXPECT_TRUE(std::signbit(from_half(0x8000)));
    EXPECT_EQ(from_half(0xfc00), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(from_half(0x7e01)));
}

}  // namespace
}  // namespace cudabook::texture_unit
