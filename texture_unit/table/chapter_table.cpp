// The examples of the chapter. The expected values are written down here, not computed by the model.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/program/text_table.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

namespace {

using Points = std::vector<std::array<float, 3>>;

struct Example {
    std::string_view chapter;  ///< the chapter's words
    std::string_view fetch;
    TextureModel texture;
    Points at;
    std::vector<Texel> expected;
    std::string_view note = {};
};

std::vector<Texel> texels_of(const std::vector<float>& values) {
    std::vector<Texel> texels;
    for (const float value : values) texels.push_back({value});
    return texels;
}

TextureModel texture_1d(const std::vector<float>& values, Filter filter = Filter::point,
                        Address address = Address::clamp, bool normalized = false) {
    TextureModel texture;
    texture.size = {static_cast<int>(values.size()), 1, 1};
    texture.texels = texels_of(values);
    texture.address[0] = address;
    texture.filter = filter;
    texture.normalized = normalized;
    return texture;
}

/// Texels of normalised integers. `values`: the values that fetches return.
TextureModel normalised_integers(const std::vector<float>& values, Kind kind, Filter filter = Filter::point) {
    TextureModel texture = texture_1d(values, filter);
    texture.kind = kind;
    return texture;
}

/// A texture with 2 texels in each dimension.
TextureModel two_by_two(const std::vector<float>& values) {
    TextureModel texture = texture_1d(values, Filter::linear);
    texture.size = {2, 2, values.size() == 8 ? 2 : 1};
    return texture;
}

Points on_a_line(const std::vector<float>& xs) {
    Points points;
    for (const float x : xs) points.push_back({x});
    return points;
}

constexpr int width = 64;
constexpr int height = 32;

/// A texture whose texels hold their own indices.
TextureModel texture_64_32(bool normalized) {
    TextureModel texture;
    texture.size = {width, height, 1};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            texture.texels.push_back({static_cast<float>(x), static_cast<float>(y)});
    texture.normalized = normalized;
    return texture;
}

Points corners_of_64_32(bool normalized) {
    Points points;
    for (const Texel& texel : texture_64_32(false).texels)
        points.push_back(
            {normalized ? texel[0] / width : texel[0], normalized ? texel[1] / height : texel[1]});
    return points;
}

std::vector<Example> coordinates() {
    return {{"64x32 texels: [0, 63] and [0, 31]", "tex2D(x, y), whole numbers", texture_64_32(false),
             corners_of_64_32(false), texture_64_32(false).texels},
            {"normalised: [0, 1 - 1/N]", "tex2D(x / 64, y / 32)", texture_64_32(true), corners_of_64_32(true),
             texture_64_32(false).texels},
            {"up to N - 1",
             "tex2D(63.75, 31.75)",
             texture_64_32(false),
             {{63.75F, 31.75F}},
             {{63, 31}},
             "N - 1 is where the last texel begins; all of [0, N) is in range"},
            {"up to 1 - 1/N",
             "tex2D(0.999, 0.999)",
             texture_64_32(true),
             {{0.999F, 0.999F}},
             {{63, 31}},
             "and all of [0, 1)"}};
}

std::vector<Example> read_modes() {
    return {{"unsigned char 0xff reads as 1", "0xff, 0x80, 0, normalised",
             normalised_integers({as_fraction<std::uint8_t>(0xff), as_fraction<std::uint8_t>(0x80), 0},
                                 Kind::unsigned_fractions),
             on_a_line({0.5F, 1.5F, 2.5F}), texels_of({1, static_cast<float>(128 / 255.0), 0})},
            {"signed: [-1, 1]", "127, 64, 0, -128, normalised",
             normalised_integers({as_fraction<std::int8_t>(127), as_fraction<std::int8_t>(64), 0,
                                  unclamped_fraction<std::int8_t>(-128)},
                                 Kind::signed_bytes),
             on_a_line({0.5F, 1.5F, 2.5F, 3.5F}), texels_of({1, static_cast<float>(64 / 127.0), 0, -1}),
             "-127 is -1 already; -128 is limited to it"},
            {"element type: no conversion", "float 255, -0.5", texture_1d({255, -0.5F}),
             on_a_line({0.5F, 1.5F}), texels_of({255, -0.5F})}};
}

std::vector<Example> addressing() {
    const std::vector<float> four{10, 11, 12, 13};
    const std::vector<float> six{10, 11, 12, 13, 14, 15};
    const auto texture = [](const std::vector<float>& values, Address address, bool normalized) {
        return texture_1d(values, Filter::point, address, normalized);
    };
    return {
        {"clamp: to [0, N)", "4 texels at -1, 4, 100", texture(four, Address::clamp, false),
         on_a_line({-1, 4, 100}), texels_of({10, 13, 13})},
        {"clamp, normalised: to [0, 1.0]", "4 texels at -0.25, 1, 1.5", texture(four, Address::clamp, true),
         on_a_line({-0.25F, 1, 1.5F}), texels_of({10, 13, 13}),
         "1.0 is outside: the range is [0, 1), as [0, N) is"},
        {"border: 0 out of range", "4 texels at -0.5, 0, 3.5, 4", texture(four, Address::border, false),
         on_a_line({-0.5F, 0, 3.5F, 4}), texels_of({0, 10, 13, 0})},
        {"border, normalised", "4 texels at -0.125, 0, 1", texture(four, Address::border, true),
         on_a_line({-0.125F, 0, 1}), texels_of({0, 10, 0})},
        {"border, linear", "4 texels at 0, 0.5", texture_1d(four, Filter::linear, Address::border),
         on_a_line({0, 0.5F}), texels_of({5, 10}),
         "within half a texel of the edge the border is blended in; the chapter does not say so"},
        {"wrap: 1.25 becomes 0.25", "6 texels at 1.25, 0.25", texture(six, Address::wrap, true),
         on_a_line({1.25F, 0.25F}), texels_of({11, 11})},
        {"wrap: -1.25 becomes 0.75", "6 texels at -1.25, 0.75", texture(six, Address::wrap, true),
         on_a_line({-1.25F, 0.75F}), texels_of({14, 14})},
        {"mirror, floor odd: 1 - frac", "6 texels at 1.25, 0.75", texture(six, Address::mirror, true),
         on_a_line({1.25F, 0.75F}), texels_of({14, 14})},
        {"mirror, floor even: frac", "6 texels at 2.25, 0.25", texture(six, Address::mirror, true),
         on_a_line({2.25F, 0.25F}), texels_of({11, 11})},
        {"mirror: -0.25 becomes 0.25", "6 texels at -0.25, 0.25", texture(six, Address::mirror, true),
         on_a_line({-0.25F, 0.25F}), texels_of({11, 11})},
        {"mirror: 1.25 becomes 0.75", "4 texels at 1.25, 0.75", texture(four, Address::mirror, true),
         on_a_line({1.25F, 0.75F}), texels_of({12, 13}),
         "exactly between two texels it does not: the unit mirrors the texel's index, not the coordinate"},
        {"wrap needs normalised coordinates", "4 texels at 5, -1", texture(four, Address::wrap, false),
         on_a_line({5, -1}), texels_of({13, 10}), "without them it is clamp"},
        {"mirror needs them too", "4 texels at 5, -1", texture(four, Address::mirror, false),
         on_a_line({5, -1}), texels_of({13, 10})}};
}

std::vector<Example> filtering() {
    return {{"point: the nearest texel", "at 1, 1.49, 1.75, 2", texture_1d({10, 11, 12, 13}),
             on_a_line({1, 1.49F, 1.75F, 2}), texels_of({11, 11, 11, 12}),
             "texel i is at i + 0.5, its centre, and not at i: the unit reads texel floor(x)"},
            {"linear, 1-D: from 2 texels", "10, 20, 40 at 1.5, 1.75, 2",
             texture_1d({10, 20, 40}, Filter::linear), on_a_line({1.5F, 1.75F, 2}), texels_of({20, 25, 30})},
            {"linear, 2-D: from 4", "4, 8, 16, 32 at (1, 1)", two_by_two({4, 8, 16, 32}), {{1, 1}}, {{15}}},
            {"linear, 3-D: from 8",
             "8, 16, ... 1024 at (1, 1, 1)",
             two_by_two({8, 16, 32, 64, 128, 256, 512, 1024}),
             {{1, 1, 1}},
             {{255}}},
            {"linear has low precision", "0, 256 at 0.5 + 1/1024, 1/512, 3/512",
             texture_1d({0, 256}, Filter::linear),
             on_a_line({0.5F + 0x1p-10F, 0.5F + 0x1p-9F, 0.5F + 3 * 0x1p-9F}), texels_of({0, 1, 2}),
             "exact arithmetic gives 0.25, 0.5, 1.5: weights are multiples of 1/256, halves rounded up"},
            {"linear needs a float result", "0xff, 0, normalised, at 1",
             normalised_integers({1, 0}, Kind::unsigned_fractions, Filter::linear), on_a_line({1}),
             texels_of({static_cast<float>(32768 / 65535.0)}),
             "not 0.5: the blend of bytes is rounded to a 65535th"}};
}

/// The texels as text: the first components, such as "11 11"; or "(63, 31)" for two components; or, for many
/// texels, their number.
std::string shown(const std::vector<Texel>& texels, const std::vector<Texel>& expected) {
    if (texels.size() != expected.size()) return fmt::format("{} texels", texels.size());
    if (expected.size() == 1 && expected[0][1] != 0)
        return fmt::format("({}, {})", texels[0][0], texels[0][1]);
    constexpr std::size_t few = 4;
    if (texels.size() <= few) {
        std::string text;
        for (const Texel& texel : texels) text += fmt::format("{}{}", text.empty() ? "" : " ", texel[0]);
        return text;
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < texels.size(); ++i)
        if (texels[i] != expected[i]) ++wrong;
    return wrong == 0 ? fmt::format("{} texels", texels.size())
                      : fmt::format("{} of {} wrong", wrong, texels.size());
}

}  // namespace

std::vector<Texel> fetch_from_model(const TextureModel& texture, const Points& at) {
    std::vector<Texel> texels;
    texels.reserve(at.size());
    for (const auto& [x, y, z] : at) texels.push_back(texture.at(x, y, z));
    return texels;
}

TableResult chapter_table(const Fetch& fetch) {
    TableResult table;
    const std::array<std::pair<std::string_view, std::vector<Example>>, 4> parts{
        {{"COORDINATES", coordinates()},
         {"READ MODES", read_modes()},
         {"ADDRESS MODES", addressing()},
         {"FILTERS", filtering()}}};
    TextTable text({"the chapter", "the fetch", "expected", "got", "ok"});
    for (const auto& [title, examples] : parts) {
        text.add_line(fmt::format("{}{}", text.empty() ? "" : "\n", title));
        for (const Example& example : examples) {
            const std::vector<Texel> model = fetch_from_model(example.texture, example.at);
            const std::vector<Texel> got = fetch(example.texture, example.at);
            const bool ok = got == example.expected && model == example.expected;
            table.ok = table.ok && ok;
            const std::string expected = shown(example.expected, example.expected);
            text.add({std::string(example.chapter), std::string(example.fetch), expected,
                      shown(got, example.expected), ok ? "yes" : "NO"});
            if (model != example.expected)
                text.add_line(fmt::format("  ! the model gives {}", shown(model, example.expected)));
            if (!example.note.empty()) text.add_line(fmt::format("  > {}", example.note));
            table.rows.push_back({{"chapter", example.chapter},
                                  {"fetch", example.fetch},
                                  {"expected", expected},
                                  {"got", shown(got, example.expected)},
                                  {"note", example.note.empty() ? Figure() : Figure(example.note)},
                                  {"ok", ok}});
        }
    }
    table.text = text.text();
    return table;
}

}  // namespace cudabook::texture_unit
