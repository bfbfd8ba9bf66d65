#include "emulator/textures/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/blending.hpp"
#include "common/texture_model/cube.hpp"
#include "common/texture_model/levels.hpp"
#include "common/texture_model/texels.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/counting/counter.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/textures/array.hpp"
#include "emulator/textures/texture_object.hpp"

namespace cudabook::emulation {

using texture_unit::Blend;
using texture_unit::Filter;
using texture_unit::Kind;
using texture_unit::Neighbours;
using texture_unit::Texel;

namespace {

// ----- Texels

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t decoded(Decoding decoding, const std::byte* texel, std::size_t c) {
    using texture_unit::as_fraction;
    using texture_unit::unclamped_fraction;
    static const std::array<float, 256> srgb = [] {
        std::array<float, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = texture_unit::from_srgb(static_cast<std::uint8_t>(i));
        return table;
    }();
    const auto component = [=]<class T>(T /*type*/) { return load<T>(texel + c * sizeof(T)); };
    switch (decoding) {
        case Decoding::unsigned8:
            return component(std::uint8_t{});
        case Decoding::signed8:
            return static_cast<std::uint32_t>(component(std::int8_t{}));
        case Decoding::unsigned16:
            return component(std::uint16_t{});
        case Decoding::signed16:
            return static_cast<std::uint32_t>(component(std::int16_t{}));
        case Decoding::bits32:
            return component(std::uint32_t{});
        case Decoding::half:
            return bits(texture_unit::from_half(component(std::uint16_t{})));
        case Decoding::unsigned8_as_fraction:
            return bits(as_fraction(component(std::uint8_t{})));
        case Decoding::signed8_as_fraction:
            return bits(unclamped_fraction(component(std::int8_t{})));
        case Decoding::unsigned16_as_fraction:
            return bits(as_fraction(component(std::uint16_t{})));
        case Decoding::signed16_as_fraction:
            return bits(unclamped_fraction(component(std::int16_t{})));
        case Decoding::srgb:
            return bits(c == 3 ? as_fraction(component(std::uint8_t{})) : srgb[component(std::uint8_t{})]);
    }
    return 0;
}

/// Returns the texel's components; missing components are 0. A negative index means the border.
Registers texel(const Texture& texture, const Image& image, int x, int y, int z) {
    Registers registers{};
    const std::size_t bytes = texture.components * component_bytes(texture.decoding);
    const std::byte* memory = x < 0 || y < 0 || z < 0
                                  ? texture.border.data()
                                  : image.texels + static_cast<std::size_t>(z) * image.slice_bytes +
                                        static_cast<std::size_t>(y) * image.row_bytes +
                                        static_cast<std::size_t>(x) * bytes;
    check_read(memory, bytes);
    if (texture.decoding == Decoding::bits32) {
        const auto first = load<std::uint32_t>(memory);
        if (texture.components == 1)  // avoids the stack, which would take longer than the rest
            return std::bit_cast<Registers>(std::array<std::uint64_t, 2>{first, 0});
        registers[0] = first;
        for (std::size_t c = 1; c < texture.components; ++c)
            registers[c] = load<std::uint32_t>(memory + c * sizeof(std::uint32_t));
        return registers;
    }
    for (std::size_t c = 0; c < texture.components; ++c) registers[c] = decoded(texture.decoding, memory, c);
    return registers;
}

Texel as_floats(const Registers& registers) { return std::bit_cast<Texel>(registers); }

Kind kind(Decoding decoding) {
    switch (decoding) {
        case Decoding::unsigned8_as_fraction:
        case Decoding::unsigned16_as_fraction:
            return Kind::unsigned_fractions;
        case Decoding::signed8_as_fraction:
            return Kind::signed_bytes;
        case Decoding::signed16_as_fraction:
            return Kind::signed_words;
        case Decoding::srgb:
            return Kind::srgb;
        case Decoding::half:
            return Kind::halves;
        default:
            return Kind::floats;
    }
}

/// Returns an empty sum for texels of the texture.
Blend blend_of(const Texture& texture) { return Blend(kind(texture.decoding), texture.components); }

bool is_signed_fraction(const Texture& texture) {
    return texture.decoding == Decoding::signed8_as_fraction ||
           texture.decoding == Decoding::signed16_as_fraction;
}

/// Returns the result for a texel that is not blended.
Registers unblended(const Texture& texture, const Registers& texel) {
    if (!is_signed_fraction(texture)) return texel;
    return std::bit_cast<Registers>(texture_unit::unblended(as_floats(texel), kind(texture.decoding)));
}

// ----- Fetches

std::string_view name(TextureKind shape) {
    switch (shape) {
        case TextureKind::linear:
            return "linear memory";
        case TextureKind::line:
            return "one dimension";
        case TextureKind::plane:
            return "two dimensions";
        case TextureKind::volume:
            return "three dimensions";
        case TextureKind::line_layers:
            return "layers of one dimension";
        case TextureKind::plane_layers:
            return "layers of two dimensions";
        case TextureKind::cube:
            return "a cube map";
        case TextureKind::cube_layers:
            return "layers of cube maps";
    }
    return "";
}

/// Returns the texture object. Fails the kernel if there is none, or if it has another shape.
const Texture& existing(cudaTextureObject_t handle, TextureKind shape) {
    const Texture* texture = texture_slot(handle).texture;
    if (texture == nullptr)
        fail_kernel(fmt::format("a fetch from texture object {}, which does not exist", handle));
    if (texture->shape != shape)
        fail_kernel(fmt::format("a fetch for a texture of {} from texture object {}, which has {}",
                                name(shape), handle, name(texture->shape)));
    return *texture;
}

Filter filter(cudaTextureFilterMode mode) {
    return mode == cudaFilterModeLinear ? Filter::linear : Filter::point;
}

/// Returns the texels that a fetch reads in a level. `slice` is the layer or face.
std::array<Neighbours, 3> neighbours(const Texture& texture, const Image& image,
                                     const std::array<float, 3>& at, int slice) {
    const Filter mode = filter(texture.sampler.filterMode);
    const auto along = [&](std::size_t d) { return texture.axis(image, d).neighbours(at[d], mode); };
    return {along(0), along(1), texture.shape == TextureKind::volume ? along(2) : Neighbours{{slice, slice}}};
}

/// Returns whether the filter continues across the edges of a cube's faces.
bool is_seamless(const Texture& texture) {
    return texture.sampler.seamlessCubemap != 0 && texture.sampler.filterMode == cudaFilterModeLinear;
}

/// Adds texels of a level, with weights whose sum is `whole`.
void add(Blend& blend, double whole, const Texture& texture, const Image& image,
         const std::array<Neighbours, 3>& near) {
    blend.add(near, whole, [&](int x, int y, int z) { return as_floats(texel(texture, image, x, y, z)); });
}

/// Adds the texels that a fetch reads in a level, with weights whose sum is `whole`.
void add(Blend& blend, double whole, const Texture& texture, const Image& image,
         const std::array<float, 3>& at, int slice) {
    if (is_seamless(texture)) {
        const int face = slice % 6;
        texture_unit::add_across_faces(
            blend, {face, at[0], at[1]}, image.width, whole, [&](int on_face, int x, int y) {
                return as_floats(texel(texture, image, x, y, slice - face + on_face));
            });
        return;
    }
    add(blend, whole, texture, image, neighbours(texture, image, at, slice));
}

/// Whether a filtered fetch from the centre of a texel returns the texel's bits: all components are floats
/// that the unit does not round, neither subnormal nor infinite nor NaN.
bool is_kept(const Texture& texture, const Registers& texel) {
    return texture.decoding == Decoding::bits32 && std::ranges::all_of(as_floats(texel), [](float component) {
               return component == 0 || std::isnormal(component);
           });
}

/// Fetches from one level.
Registers fetch_from(const Texture& texture, const Image& image, const std::array<float, 3>& at, int slice) {
    Blend blend = blend_of(texture);
    if (is_seamless(texture)) {
        add(blend, 1, texture, image, at, slice);
        return std::bit_cast<Registers>(blend.result());
    }
    const std::array<Neighbours, 3> near = neighbours(texture, image, at, slice);
    if (near[0].second == 0 && near[1].second == 0 && near[2].second == 0) {
        const Registers first = texel(texture, image, near[0].index[0], near[1].index[0], near[2].index[0]);
        if (texture.sampler.filterMode == cudaFilterModePoint) return unblended(texture, first);
        if (is_kept(texture, first)) return first;
    }
    add(blend, 1, texture, image, near);
    return std::bit_cast<Registers>(blend.result());
}

const Image& image_of_level(const Texture& texture, int level) {
    if (level == 0) return texture.image;
    const int number = texture.first_level + level;
    return texture.resource.res.mipmap.mipmap->levels[static_cast<std::size_t>(number)].image;
}

/// Returns the number of dimensions in which a fetch filters.
unsigned dimensions(TextureKind shape) {
    switch (shape) {
        case TextureKind::linear:
        case TextureKind::line:
        case TextureKind::line_layers:
            return 1;
        case TextureKind::volume:
            return 3;
        default:
            return 2;
    }
}

unsigned texel_bytes(const Texture& texture) {
    return static_cast<unsigned>(texture.components * component_bytes(texture.decoding));
}

/// Counts a fetch at a place in the code, in a program that counts.
void count_fetch(const void* place, const Fetch& fetch) {
    if (counting != nullptr) counting->count_fetch(place, fetch);
}

unsigned texels_of_fetch(const Texture& texture) {
    return texture.sampler.filterMode == cudaFilterModeLinear ? 1U << dimensions(texture.shape) : 1;
}

/// Returns the address of a texel of a plane. For an array, address_in_tiles() makes the address.
std::uint64_t address_of_texel(const Texture& texture, std::size_t x, std::size_t y) {
    const auto first = reinterpret_cast<std::uint64_t>(texture.image.texels);
    const std::size_t in_row = x * texel_bytes(texture);
    if (texture.resource.resType == cudaResourceTypePitch2D)
        return first + y * texture.image.row_bytes + in_row;
    return address_in_tiles(first, texture.image.row_bytes, y, in_row);
}

#if CUDABOOK_MEMORY_MARKS
/// Fails the kernel if a fetch from a texture with normalized coordinates seems to give the centre or the
/// index of a texel: the fetch is more than 8 widths away, and at a place where the texture repeats its edge.
void check_normalized(const Texture& texture, const std::array<float, 3>& at) {
    if (is_cube(texture.shape)) return;
    constexpr float least = 8;
    for (std::size_t d = 0; d < dimensions(texture.shape); ++d) {
        const texture_unit::Axis axis = texture.axis(texture.image, d);
        const float in_halves = 2 * at[d];
        if (axis.normalized && axis.address == texture_unit::Address::clamp && at[d] > least &&
            at[d] < static_cast<float>(axis.size) + 1 && in_halves == std::floor(in_halves))
            fail_kernel(
                fmt::format("a fetch at {} = {} from a texture with normalized coordinates, whose texels lie "
                            "between 0 and 1: for coordinates in texels, normalizedCoords must be 0",
                            "xyz"[d], at[d]));
    }
}
#endif

/// A point of a layer or of a cube's face.
struct PointOfSlice {
    std::array<float, 3> at;
    int slice;
};

PointOfSlice point_of_slice(const Texture& texture, const FetchPoint& point) {
    const auto layer =
        static_cast<int>(texture.first_layer + texture_unit::layer_read(point.layer, texture.layers));
    if (!is_cube(point.shape)) return {point.at, layer};
    const texture_unit::CubePoint on_cube = texture_unit::cube_point(point.at[0], point.at[1], point.at[2]);
    return {{on_cube.s, on_cube.t, 0}, 6 * layer + on_cube.face};
}

/// Returns the levels of a mipmap that a fetch reads.
Neighbours levels_of(const Texture& texture, const FetchPoint& point) {
    const texture_unit::LevelFilter levels{
        filter(texture.sampler.mipmapFilterMode), point.level ? texture.sampler.mipmapLevelBias : 0,
        texture.sampler.minMipmapLevelClamp, texture.sampler.maxMipmapLevelClamp};
    return levels.chosen(point.level.value_or(0), texture.levels);
}

/// Returns the address of a texel beside a point, or 0 if the point is outside the texture. For an array,
/// address_in_tiles() makes the address, as if each slice were a plane.
std::uint64_t address_near(const Texture& texture, const FetchPoint& point) {
    const auto& [at, slice] = point_of_slice(texture, point);
    const Image& image =
        image_of_level(texture, texture.levels == 1 ? 0 : levels_of(texture, point).index[0]);
    std::array<std::size_t, 3> index{0, 0, static_cast<std::size_t>(slice)};
    for (std::size_t d = 0; d < dimensions(texture.shape); ++d) {
        const int nearest = texture.axis(image, d).nearest(at[d]).index[0];
        if (nearest < 0) return 0;
        index[d] = static_cast<std::size_t>(nearest);
    }
    const std::uint64_t first = reinterpret_cast<std::uint64_t>(image.texels) + index[2] * image.slice_bytes;
    const std::size_t in_row = index[0] * texel_bytes(texture);
    return texture.resource.resType == cudaResourceTypePitch2D
               ? first + index[1] * image.row_bytes + in_row
               : address_in_tiles(first, image.row_bytes, index[1], in_row);
}

/// Counts a fetch whose sectors are unknown or were never measured.
void count_fetch(const void* place, const Texture& texture, const FetchPoint& point, unsigned texels) {
    if (counting == nullptr) return;
    count_fetch(place, {.address = address_near(texture, point),
                        .bytes = texel_bytes(texture),
                        .texels = texels,
                        .is_near = true});
}

Registers fetch_at(const Texture& texture, const FetchPoint& point) {
#if CUDABOOK_MEMORY_MARKS
    check_normalized(texture, point.at);
#endif
    const auto& [at, slice] = point_of_slice(texture, point);
    const auto of_level = [&, &at = at, &slice = slice](int level) {
        return fetch_from(texture, image_of_level(texture, level), at, slice);
    };
    if (texture.levels == 1) return of_level(0);
    const Neighbours near = levels_of(texture, point);
    if (near.second == 0) return of_level(near.index[0]);
    return std::bit_cast<Registers>(texture_unit::blend_levels(
        near, blend_of(texture), [&, &at = at, &slice = slice](Blend& blend, int level, double weight) {
            add(blend, weight, texture, image_of_level(texture, level), at, slice);
        }));
}

}  // namespace

void check_type(cudaTextureObject_t handle, bool expects_floats) {
    const Texture* texture = texture_slot(handle).texture;
    if (texture == nullptr || texture->gives_floats == expects_floats) return;
    fail_kernel(expects_floats ? "a fetch of floats from a texture whose texels are read as integers: "
                                 "cudaReadModeNormalizedFloat makes them floats"
                               : "a fetch of integers from a texture whose texels are read as floats");
}

void check_component(cudaTextureObject_t handle, std::size_t bytes) {
    const Texture* texture = texture_slot(handle).texture;
    if (texture == nullptr || texture->gives_floats || bytes >= component_bytes(texture->decoding)) return;
    fail_kernel(fmt::format(
        "a fetch of integers of {} bits from a texture whose components have {}: the higher bits are lost",
        8 * bytes, 8 * component_bytes(texture->decoding)));
}

void check_end(cudaTextureObject_t handle, int index) {
    const Texture* texture = texture_slot(handle).texture;
    if (texture == nullptr || texture->shape != TextureKind::linear || index < texture->image.width) return;
    const std::size_t texels = bytes_left_at(texture->image.texels) / texel_bytes(*texture);
    if (static_cast<std::size_t>(index) >= texels) return;
    fail_kernel(
        fmt::format("a fetch of texel {} from a texture of {} texels, whose array has {}: a GPU "
                    "gives 0; sizeInBytes counts bytes",
                    index, texture->image.width, texels));
}

Registers fetch_linear(cudaTextureObject_t handle, int index) {
    const Texture& texture = existing(handle, TextureKind::linear);
    if (index < 0 || index >= texture.image.width) return {};
    return unblended(texture, texel(texture, texture.image, index, 0, 0));
}

Registers fetch_plane(cudaTextureObject_t handle, float x, float y) {
    const Texture& texture = existing(handle, TextureKind::plane);
    const TextureSlot& slot = texture_slot(handle);
    if (!slot.nearest) return fetch_at(texture, {.shape = TextureKind::plane, .at = {x, y, 0}});
    return unblended(texture, texel(texture, texture.image, static_cast<int>(nearest_texel(x, slot.last_x)),
                                    static_cast<int>(nearest_texel(y, slot.last_y)), 0));
}

Registers fetch(cudaTextureObject_t handle, const FetchPoint& point) {
    const Texture& texture = existing(handle, point.shape);
    count_fetch(CUDABOOK_CALLER, texture, point, texels_of_fetch(texture));
    return fetch_at(texture, point);
}

Registers gather(cudaTextureObject_t handle, float x, float y, int component) {
    const Texture& texture = existing(handle, TextureKind::plane);
    count_fetch(CUDABOOK_CALLER, texture, {.shape = TextureKind::plane, .at = {x, y, 0}}, 4);
    const auto [left, right] = texture.axis(texture.image, 0).between(x).index;
    const auto [top, bottom] = texture.axis(texture.image, 1).between(y).index;
    const auto c = static_cast<std::size_t>(component) & 3U;
    const Registers four{
        texel(texture, texture.image, left, bottom, 0)[c], texel(texture, texture.image, right, bottom, 0)[c],
        texel(texture, texture.image, right, top, 0)[c], texel(texture, texture.image, left, top, 0)[c]};
    if (!is_signed_fraction(texture)) return four;
    return std::bit_cast<Registers>(texture_unit::as_gathered(as_floats(four), kind(texture.decoding)));
}

float level_of_gradients(cudaTextureObject_t handle, TextureKind shape, const std::array<float, 3>& along_x,
                         const std::array<float, 3>& along_y) {
    const Texture& texture = existing(handle, shape);
    const std::array<int, 3> size{texture.image.width, texture.image.height, texture.image.depth};
    const auto texels = [&size](const std::array<float, 3>& gradient) {
        double sum = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double along = static_cast<double>(gradient[d]) * size[d];
            sum += along * along;
        }
        return std::sqrt(sum);
    };
    const double longest = std::max(texels(along_x), texels(along_y));
    return static_cast<float>(std::log2(std::isnan(longest) ? 0 : longest));  // NaN as measured on an H200
}

// ----- Counted fetches

namespace {

/// Returns the bits of a texel type, as from_registers() makes them.
template <std::size_t bytes>
std::array<std::byte, bytes> from_registers_raw(const Registers& registers, std::uint32_t raw) {
    const std::size_t component_bytes = raw >> 8U;
    std::array<std::byte, bytes> texel;
    for (std::size_t c = 0; c * component_bytes < bytes; ++c)
        std::memcpy(&texel[c * component_bytes], &registers[c], component_bytes);
    return texel;
}

std::uint64_t address_of(const std::byte* memory) { return reinterpret_cast<std::uint64_t>(memory); }

}  // namespace

template <std::size_t bytes>
std::array<std::byte, bytes> counted_fetch_linear(cudaTextureObject_t handle, int index, std::uint32_t raw) {
    const void* const place = CUDABOOK_CALLER;
    const TextureSlot& slot = texture_slot(handle);
    const auto texel = static_cast<std::uint32_t>(index);
    if (slot.linear == raw && texel < slot.size) {
        const std::byte* const at = slot.texels + texel * bytes;
        count_fetch(place, {.address = address_of(at), .bytes = bytes, .one_dimension = true});
        return load<std::array<std::byte, bytes>>(at);
    }
    const Texture& texture = existing(handle, TextureKind::linear);
    const bool is_there = texel < static_cast<std::uint32_t>(texture.image.width);
    const std::byte* const at = texture.image.texels + std::size_t{texel} * texel_bytes(texture);
    count_fetch(
        place,
        {.address = is_there ? address_of(at) : 0, .bytes = texel_bytes(texture), .one_dimension = true});
    return from_registers_raw<bytes>(fetch_linear(handle, index), raw);
}

template <std::size_t bytes>
std::array<std::byte, bytes> counted_fetch_plane(cudaTextureObject_t handle, float x, float y,
                                                 std::uint32_t raw) {
    const void* const place = CUDABOOK_CALLER;
    const TextureSlot& slot = texture_slot(handle);
    if (slot.nearest) {
        const std::size_t column = nearest_texel(x, slot.last_x);
        const std::size_t row = nearest_texel(y, slot.last_y);
        const Texture& texture = *slot.texture;
        count_fetch(place,
                    {.address = address_of_texel(texture, column, row), .bytes = texel_bytes(texture)});
        if (slot.plane == raw)
            return load<std::array<std::byte, bytes>>(slot.texels + row * slot.row_bytes + column * bytes);
    } else {
        const Texture& texture = existing(handle, TextureKind::plane);
        count_fetch(place, texture, {.shape = TextureKind::plane, .at = {x, y, 0}}, texels_of_fetch(texture));
    }
    return from_registers_raw<bytes>(fetch_plane(handle, x, y), raw);
}

#define CUDABOOK_COUNTED_FETCHES(bytes)                                                                 \
    template std::array<std::byte, bytes> counted_fetch_linear<bytes>(cudaTextureObject_t, int,         \
                                                                      std::uint32_t);                   \
    template std::array<std::byte, bytes> counted_fetch_plane<bytes>(cudaTextureObject_t, float, float, \
                                                                     std::uint32_t);
CUDABOOK_COUNTED_FETCHES(1)
CUDABOOK_COUNTED_FETCHES(2)
CUDABOOK_COUNTED_FETCHES(4)
CUDABOOK_COUNTED_FETCHES(8)
CUDABOOK_COUNTED_FETCHES(16)

}  // namespace cudabook::emulation
