// The lessons: their descriptions, their scenes, and the bounds of the unit's difference from exact
// arithmetic.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "texture_unit/cpu.hpp"
#include "texture_unit/jobs.hpp"
#include "texture_unit/scenes.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

namespace {

/// A coordinate is rounded to 1/256 of a texel, so the error of a weight is at most 1/512. In two
/// dimensions the products of weights are rounded as well, with the same error, and each rounding moves
/// weight between two pairs of texels.
constexpr double bound_of_line = 255.0 / 512;
constexpr double bound_of_plane = 4 * bound_of_line;
/// A volume has one more coordinate, and one more rounding for each plane.
constexpr double bound_of_volume = 8 * bound_of_line;
/// The filter between levels reads two levels, with weights truncated to 1/256.
constexpr double bound_of_levels = 2 * bound_of_plane + 2 * bound_of_line;

/// The unit's linear values have steps of 1/128 at the bright end, and it keeps 11 bits of a blend.
constexpr double bound_of_srgb = bound_of_plane + 255.0 / 256 + 255.0 / 4096;

}  // namespace

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> all = [] {
        const auto address = [](const char* name, const char* what, Address mode) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [mode](int size) { return scenes::tiled(size, mode); },
                          .job = [mode](int size) { return jobs::address(size, mode); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_plane};
        };
        const auto sky_of = [](const char* name, const char* what, bool seamless) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return scenes::cube(size, seamless); },
                          .job = [=](int size) { return jobs::cube(size, seamless); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_plane};
        };
        const auto mipmap = [](const char* name, const char* what, Filter filter, float bias) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return scenes::levels(size, filter, bias); },
                          .job = [=](int size) { return jobs::levels(size, filter, bias); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound_of_levels};
        };
        const auto card = [](const char* name, const char* what, Filter filter, Store store, double bound) {
            return Lesson{.name = name,
                          .what = what,
                          .scene = [=](int size) { return scenes::magnified(size, filter, store); },
                          .job = [=](int size) { return jobs::plane(size, filter, store); },
                          .model = fetched,
                          .exact = in_exact_arithmetic,
                          .bound = bound};
        };
        std::vector<Lesson> list{
            card("point", "no filter: the nearest texel", Filter::point, Store::floats, 0),
            {.name = "linear1d",
             .what = "linear filtering in one dimension",
             .scene = scenes::line,
             .job = jobs::line,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_line},
            {.name = "steps",
             .what = "the steps of a weight: an eighth of a texel",
             .scene = scenes::steps,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_line},
            card("linear", "in two dimensions", Filter::linear, Store::floats, bound_of_plane),
            {.name = "linear3d",
             .what = "in three: a slice through a volume",
             .scene = scenes::slice,
             .job = jobs::volume,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_volume},
            address("clamp", "beyond the edges: the nearest texel", Address::clamp),
            address("border", "beyond the edges: 0", Address::border),
            address("wrap", "beyond the edges: the texture again", Address::wrap),
            address("mirror", "beyond the edges: its mirror image", Address::mirror),
            {.name = "bicubic",
             .what = "a smoother filter of four linear fetches",
             .scene = [](int size) { return scenes::magnified(size, Filter::linear); },
             .job = [](int size) { return jobs::plane(size, Filter::linear); },
             .model = bicubic_fetched,
             .exact = bicubic_exact,
             .bound = bound_of_plane},
            {.name = "lookup",
             .what = "a tone curve from a table of 16 entries",
             .scene = scenes::lookup,
             .job = jobs::lookup,
             .model = looked_up,
             .exact = looked_up_exactly,
             .bound = bound_of_line},
            {.name = "layered",
             .what = "sixteen layers behind one texture object",
             .scene = scenes::layers,
             .job = jobs::layers,
             .model = fetched,
             .exact = in_exact_arithmetic,
             .bound = bound_of_plane},
            sky_of("cubemap", "a sky of six faces, filtered each on its own", false),
            sky_of("cubemap_seamless", "the same, filtered across their edges", true),
            {.name = "gather",
             .what = "edges, from four texels in one fetch",
             .scene = [](int size) { return scenes::with_gather(scenes::magnified(size, Filter::linear)); },
             .job = [](int size) { return scenes::with_gather(jobs::plane(size, Filter::linear)); },
             .model = gathered,
             .exact = gathered_exactly,
             .bound = 0},
            mipmap("mipmap", "a floor: two levels of a mipmap, blended", Filter::linear, 0),
            mipmap("mipmap_level", "the nearest level alone", Filter::point, 0),
            mipmap("mipmap_bias", "with levels that are too coarse by 1.5", Filter::linear, 1.5F),
            card("integers", "bytes as whole numbers, without a filter", Filter::point, Store::integers, 0),
            card("fractions", "bytes as fractions, filtered", Filter::linear, Store::fractions,
                 bound_of_plane),
            card("srgb", "bytes as fractions encoded as sRGB, decoded and then filtered", Filter::linear,
                 Store::srgb, bound_of_srgb),
        };
        const std::map<std::string, std::string> checksums{
            {"point", "7c77d8d9"},        {"linear1d", "acef6beb"},
            {"steps", "2c2e19b3"},        {"linear", "c26d2aa8"},
            {"linear3d", "18e2f5df"},     {"clamp", "550ce57b"},
            {"border", "d39e4129"},       {"wrap", "88ac793a"},
            {"mirror", "03f851b5"},       {"bicubic", "de9749b8"},
            {"lookup", "67b75137"},       {"layered", "e4a322db"},
            {"cubemap", "f780900f"},      {"cubemap_seamless", "e6ed3176"},
            {"gather", "ca770ef6"},       {"mipmap", "90d4643e"},
            {"mipmap_level", "3f6d94b9"}, {"mipmap_bias", "870896ad"},
            {"integers", "7c77d8d9"},     {"fractions", "834c526a"},
            {"srgb", "378a98b9"},
        };
        for (Lesson& each : list) each.checksum = checksums.at(each.name);
        return list;
    }();
    return all;
}

const Lesson& lesson(std::string_view name) {
    const auto found = std::ranges::find(lessons(), name, &Lesson::name);
    if (found == lessons().end()) throw std::out_of_range("there is no lesson " + std::string(name));
    return *found;
}

}  // namespace cudabook::texture_unit
