// common/texture_model/: compared with the texture unit for every type of texels, read mode, filter, address
// mode and dimension, at difficult coordinates. Every fetch must give the model's bits, except for
//
// | what                                                   | differs in      | by at most                |
// |--------------------------------------------------------|-----------------|---------------------------|
// | floats, halves and sRGB blended from two slices of a   | 1 fetch in 50   | 2 units in the last place |
// | volume or two levels of a mipmap (Model::is_bounded)   |                 | of the largest texel      |
// | a border's colour as sRGB (expect_borders)             | 1 colour in 100 | 1/64                      |
//
// Levels chosen by gradients are not compared: the model has no gradients.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/cuda_array.cuh"
#include "common/cuda/texture.cuh"
#include "common/texture_model/border.hpp"
#include "common/texture_model/model.hpp"
#include "tests/support/gpu.hpp"
#include "tests/texture_model/fetches.cuh"

namespace cudabook {
namespace {

using test::cuda;
using test::Form;
using test::random_bits;
using texture_unit::Address;
using texture_unit::Filter;
using texture_unit::Kind;
using texture_unit::MipmapModel;
using texture_unit::Texel;
using texture_unit::TextureModel;

// -- Types of texels

enum class Read { elements, fractions, halves, srgb };

/// How components of type C are read. The model holds the bits of integers in floats.
template <class C>
struct Components {
    Read read;

    [[nodiscard]] Kind kind() const {
        if (read == Read::halves) return Kind::halves;
        if (read == Read::srgb) return Kind::srgb;
        if (read == Read::elements) return Kind::floats;
        if constexpr (std::is_unsigned_v<C>) return Kind::unsigned_fractions;
        return sizeof(C) == 1 ? Kind::signed_bytes : Kind::signed_words;
    }
    [[nodiscard]] bool is_blended() const { return read != Read::elements || std::is_same_v<C, float>; }
    [[nodiscard]] cudaTextureReadMode mode() const {
        return read == Read::fractions || read == Read::srgb ? cudaReadModeNormalizedFloat
                                                             : cudaReadModeElementType;
    }

    /// A component from random bits: floats and halves of many sizes.
    [[nodiscard]] C random(std::uint32_t bits) const {
        if constexpr (std::is_same_v<C, float>)
            return std::bit_cast<float>((bits & 0x807fffffU) | (119 + bits % 17) << 23U);
        else
            return static_cast<C>(read == Read::halves ? (bits & 0x8fffU) | 0x3000U : bits);
    }

    [[nodiscard]] float value(C stored, std::size_t c) const {
        if constexpr (std::is_same_v<C, float>) {
            return stored;
        } else {
            if constexpr (sizeof(C) <= 2) {
                if (read == Read::halves) return texture_unit::from_half(static_cast<std::uint16_t>(stored));
                if (read == Read::srgb && c < 3)
                    return texture_unit::from_srgb(static_cast<std::uint8_t>(stored));
                if (read != Read::elements) return texture_unit::unclamped_fraction(stored);
            }
            return std::bit_cast<float>(static_cast<std::uint32_t>(stored));
        }
    }

    /// Component c of the border's colour, as it is read.
    [[nodiscard]] float border(float colour, std::size_t c) const {
        if constexpr (std::is_same_v<C, float>) {
            return colour;
        } else {
            if constexpr (sizeof(C) <= 2) {
                if (read == Read::halves) return texture_unit::from_half(texture_unit::border_half(colour));
                if (read == Read::srgb && c < 3)
                    return texture_unit::from_srgb(texture_unit::border_srgb(colour));
                if (read != Read::elements)
                    return texture_unit::unclamped_fraction(texture_unit::border_code<C>(colour));
            }
            return value(static_cast<C>(std::bit_cast<std::uint32_t>(colour)), c);
        }
    }

    [[nodiscard]] std::string name(std::size_t count) const {
        constexpr std::array reads{"elements", "fractions", "halves", "sRGB"};
        return fmt::format("{}{} x{} as {}",
                           std::is_same_v<C, float> ? "float"
                           : std::is_signed_v<C>    ? "int"
                                                    : "uint",
                           8 * sizeof(C), count, reads[static_cast<std::size_t>(read)]);
    }
};

/// The bits of each component of a fetched texel. Integers are converted to 32 bits.
template <class C, class T>
std::array<std::uint32_t, 4> bits_of(const T& fetched) {
    std::array<C, sizeof(T) / sizeof(C)> components;
    std::memcpy(components.data(), &fetched, sizeof fetched);
    std::array<std::uint32_t, 4> bits{};
    for (std::size_t c = 0; c < components.size(); ++c) {
        if constexpr (std::is_same_v<C, float>)
            bits[c] = std::bit_cast<std::uint32_t>(components[c]);
        else
            bits[c] = static_cast<std::uint32_t>(components[c]);
    }
    return bits;
}

// -- Ways to fetch

struct Way {
    Form form;
    int dimensions;
    int parts = 1;  ///< layers, faces or levels
    bool levels = false;
    bool seamless = false;
};

constexpr Way ways[] = {
    {Form::line, 1},
    {Form::plane, 2},
    {Form::volume, 3},
    {Form::gather0, 2},
    {Form::gather1, 2},
    {Form::line_layered, 1, 3},
    {Form::plane_layered, 2, 3},
    {Form::cube, 2, 6},
    {.form = Form::cube, .dimensions = 2, .parts = 6, .seamless = true},
    {Form::line_level, 1, 3, true},
    {Form::plane_level, 2, 3, true},
    {Form::volume_level, 3, 3, true},
};

constexpr std::array<int, 3> full_size{4, 5, 3};
constexpr int cube_size = 5;
constexpr std::array<float, 4> border{0.3F, -0.7F, 1.5F, 0.777F};
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

float beside(float x, int ulps) {
    for (; ulps > 0; --ulps) x = std::nextafter(x, infinity);
    for (; ulps < 0; ++ulps) x = std::nextafter(x, -infinity);
    return x;
}

/// Difficult coordinates along n texels: edges and centres, 256ths and their halves, all with neighbours;
/// distant coordinates, infinities and NaN.
std::vector<float> hurting(int n, bool normalized) {
    std::vector<float> all{0.0F,
                           -0.0F,
                           1e-45F,
                           -1e-45F,
                           1e-38F,
                           -1e-38F,
                           1e-7F,
                           -1e-7F,
                           1e10F,
                           -1e10F,
                           0x1p24F,
                           -0x1p24F,
                           0x1p31F,
                           -0x1p31F,
                           0x1p23F + 1,
                           nan,
                           infinity,
                           -infinity,
                           std::numeric_limits<float>::max(),
                           std::numeric_limits<float>::lowest(),
                           1000.7F,
                           -54321.1F};
    const auto add = [&](double position, int ulps) {
        all.push_back(beside(static_cast<float>(normalized ? position / n : position), ulps));
    };
    for (int half = -2 * n - 3; half <= 4 * n + 3; ++half)
        for (const double shift : {-0x1p-9, 0.0, 0x1p-9})
            for (const int ulps : {-1, 0, 1}) add(half * 0.5 + shift, ulps);
    for (int i = 0; i < 512 * n; i += 7) add(i / 512.0, i % 5 - 2);
    return all;
}

/// Directions to the edges, corners and insides of a cube's faces, and vectors that are zero, infinite or
/// NaN.
std::vector<float4> directions() {
    std::vector<float> along{0,       -0.0F, 1,      -1,       1e-45F,    1e-20F,
                             -1e-20F, 3e38F, -3e38F, infinity, -infinity, nan};
    for (int i = -10 * cube_size; i <= 10 * cube_size; ++i)
        for (const int ulps : {-1, 0, 1})
            along.push_back(beside(static_cast<float>(i) / (10 * cube_size), ulps));
    std::vector<float4> all;
    for (std::uint32_t i = 0; i < 600; ++i) {
        const auto any = [&](std::uint32_t d) {
            return along[random_bits(3 * i + d) % (i % 10 == 0 ? 12 : along.size())];
        };
        all.push_back({any(0), any(1), any(2), 0});
        if (i % 4 == 0) {  // at a corner, at a distance
            const float far = 1 + static_cast<float>(i);
            const auto near = [&](std::uint32_t d) {
                return far * (1 - static_cast<float>(random_bits(7 * i + d) % 64) / 256) *
                       (i >> (d + 2) & 1U ? 1 : -1);
            };
            all.back() = {near(0), near(1), near(2), 0};
        }
    }
    return all;
}

std::vector<float4> coordinates(const Way& way, bool normalized) {
    if (way.form == Form::cube) return directions();
    std::array<std::vector<float>, 3> along;
    for (int d = 0; d < 3; ++d) along[d] = hurting(full_size[d], normalized);
    constexpr std::array levels{-1.0F, 0.0F, 0.25F, 0.5F, 0.501F, 0.75F,   1.0F,
                                1.3F,  2.0F, 2.5F,  9.0F, nan,    infinity};
    std::vector<float4> all;
    for (std::uint32_t i = 0; i < (way.dimensions == 1 ? along[0].size() : 400); ++i) {
        // Every second point has a difficult coordinate in one dimension alone.
        const auto any = [&](std::uint32_t d) {
            const std::uint32_t word = random_bits(5 * i + d);
            if (i % 2 == 0 || i % 3 == d) return along[d][word % along[d].size()];
            const float inside = static_cast<float>(word % 4096) / 4096;
            return normalized ? inside : inside * static_cast<float>(full_size[d]);
        };
        all.push_back({way.dimensions == 1 ? along[0][i] : any(0), any(1), any(2), 0});
        if (way.levels)
            all.back().w = levels[random_bits(i + 99) % levels.size()];
        else if (way.parts > 1)
            all.back().w = static_cast<float>(static_cast<int>(i % 7) - 2);
    }
    return all;
}

// -- The comparison

/// The model of a texture with all its layers, faces or levels.
struct Model {
    Way way;
    std::vector<TextureModel> parts;

    [[nodiscard]] Texel at(float4 c) const {
        const auto each = [this] {
            std::array<TextureModel, 6> faces;
            std::copy_n(parts.begin(), 6, faces.begin());
            return faces;
        };
        switch (way.form) {
            case Form::gather0:
                return parts[0].gather(c.x, c.y, 0);
            case Form::gather1:
                return parts[0].gather(c.x, c.y, 1);
            case Form::line_layered:
            case Form::plane_layered:
                return texture_unit::layered(parts, static_cast<int>(c.w), c.x, c.y);
            case Form::cube:
                return way.seamless && parts[0].filter == Filter::linear
                           ? texture_unit::seamless_cubemap(each(), c.x, c.y, c.z)
                           : texture_unit::cubemap(each(), c.x, c.y, c.z);
            default:
                break;
        }
        if (!way.levels) return parts[0].at(c.x, c.y, c.z);
        MipmapModel levels;
        levels.filter = parts[0].filter;
        levels.levels = parts;
        return levels.at(c.w, c.x, c.y, c.z);
    }

    /// Returns true if the table above allows a difference for this texture.
    [[nodiscard]] bool is_bounded() const {
        return (way.dimensions == 3 || way.levels) && parts[0].filter == Filter::linear &&
               (parts[0].kind == Kind::floats || parts[0].kind == Kind::halves ||
                parts[0].kind == Kind::srgb);
    }
};

/// Returns true if the fetch is equal to the model's, or is within its bound. `nearly` counts the bounded
/// fetches that are not equal.
bool is_right(const Model& model, std::uint32_t got, float expected, float largest, int& nearly) {
    const auto bits = std::bit_cast<std::uint32_t>(expected);
    if (got == bits) return true;
    if (!model.is_bounded() || !std::isfinite(expected)) return false;
    ++nearly;
    const float unit = model.parts[0].kind == Kind::floats ? 0x1p-22F : 0x1p-9F;
    return std::fabs(std::bit_cast<float>(got) - expected) <= largest * unit;
}

/// Compares fetches of type T with the model. T has components C, the first `count` of which are compared.
template <class C, class T>
void expect_fetches(const std::string& what, const Model& model, std::size_t count,
                    const TextureObject& texture, const std::vector<float4>& at) {
    const std::vector<T> fetched = test::run<T>(test::fetch<T>, texture, at, model.way.form);
    float largest = 0;
    for (const TextureModel& part : model.parts)
        for (const Texel& texel : part.texels)
            for (const float value : texel) largest = std::max(largest, std::fabs(value));
    int wrong = 0;
    int nearly = 0;
    std::string text;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::array<std::uint32_t, 4> got = bits_of<C>(fetched[i]);
        const Texel expected = model.at(at[i]);
        for (std::size_t c = 0; c < count; ++c) {
            if (is_right(model, got[c], expected[c], largest, nearly) || ++wrong > 4) continue;
            text += fmt::format(
                "\n  at ({:.9g}, {:.9g}, {:.9g}; {:.9g}), component {}: expected {:08x}, got {:08x}", at[i].x,
                at[i].y, at[i].z, at[i].w, c, std::bit_cast<std::uint32_t>(expected[c]), got[c]);
        }
    }
    EXPECT_EQ(wrong, 0) << what << ": of " << at.size() << " fetches" << text;
    EXPECT_LE(nearly, static_cast<int>(at.size() * count / 50)) << what;
}

std::string name(const std::string& type, const Way& way, const TextureModel& model) {
    constexpr std::array forms{"line",         "plane",         "volume",        "gather 0",
                               "gather 1",     "layered line",  "layered plane", "cube",
                               "line's level", "plane's level", "volume's level"};
    constexpr std::array modes{"wrap", "clamp", "mirror", "border"};
    return fmt::format(
        "{}, {}{}, {} {} {}, {}, {}", type, way.seamless ? "seamless " : "",
        forms[static_cast<std::size_t>(way.form)], modes[static_cast<std::size_t>(model.address[0])],
        modes[static_cast<std::size_t>(model.address[1])], modes[static_cast<std::size_t>(model.address[2])],
        model.filter == Filter::point ? "point" : "linear",
        model.normalized ? "normalised" : "not normalised");
}

/// The array that a way fetches from, with texels T of components C, and its model.
template <class C, class T>
class Memory {
  public:
    Memory(const Way& way, const Components<C>& components, const cudaChannelFormatDesc& format)
        : model{way, {}} {
        for (int part = 0; part < way.parts; ++part) {
            TextureModel& texture = model.parts.emplace_back();
            for (int d = 0; d < way.dimensions; ++d)
                texture.size[d] =
                    way.form == Form::cube ? cube_size : std::max(full_size[d] >> (way.levels ? part : 0), 1);
            texture.kind = components.kind();
            for (std::size_t c = 0; c < count; ++c) texture.border[c] = components.border(border[c], c);
            for (int i = 0; i < texture.size[0] * texture.size[1] * texture.size[2]; ++i) {
                Texel& texel = texture.texels.emplace_back();
                for (std::size_t c = 0; c < count; ++c) {
                    const C stored =
                        components.random(random_bits(static_cast<std::uint32_t>(stored_.size())));
                    stored_.push_back(stored);
                    texel[c] = components.value(stored, c);
                }
            }
        }
        const std::array<int, 3>& size = model.parts[0].size;
        const auto extent = [&](int d) { return static_cast<std::size_t>(d < way.dimensions ? size[d] : 0); };
        if (way.levels) {
            levels_ = std::make_unique<MipmappedArray>(
                format, make_cudaExtent(extent(0), extent(1), extent(2)), static_cast<unsigned>(way.parts));
            const C* from = stored_.data();
            for (int part = 0; part < way.parts; ++part) {
                levels_->copy_from(static_cast<unsigned>(part), reinterpret_cast<const T*>(from));
                from += model.parts[static_cast<std::size_t>(part)].texels.size() * count;
            }
            return;
        }
        const bool gathers = way.form == Form::gather0 || way.form == Form::gather1;
        const unsigned flags = way.form == Form::cube ? cudaArrayCubemap
                               : way.parts > 1        ? cudaArrayLayered
                               : gathers              ? cudaArrayTextureGather
                                                      : cudaArrayDefault;
        const std::size_t depth = way.parts > 1 ? static_cast<std::size_t>(way.parts) : extent(2);
        array_ = std::make_unique<CudaArray>(format, make_cudaExtent(extent(0), extent(1), depth), flags);
        array_->copy_from(reinterpret_cast<const T*>(stored_.data()));
    }

    [[nodiscard]] TextureObject texture(const cudaTextureDesc& description) const {
        return levels_ ? TextureObject(levels_->get(), description)
                       : TextureObject(array_->get(), description);
    }

    static constexpr std::size_t count = sizeof(T) / sizeof(C);
    Model model;

  private:
    std::vector<C> stored_;
    std::unique_ptr<CudaArray> array_;
    std::unique_ptr<MipmappedArray> levels_;
};

template <std::size_t count>
using Floats = std::conditional_t<count == 1, float, std::conditional_t<count == 2, float2, float4>>;

/// Compares texels T with components C, fetched in every way. Four is the type like T with four components.
template <class C, class T, class Four>
void expect_type(Read read) {
    const Components<C> components{read};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    if (read == Read::halves) format.f = cudaChannelFormatKindFloat;
    const bool as_floats = read != Read::elements || std::is_same_v<C, float>;
    for (const Way& way : ways) {
        const bool gathers = way.form == Form::gather0 || way.form == Form::gather1;
        if (way.form == Form::gather1 && sizeof(T) == sizeof(C)) continue;
        Memory<C, T> memory(way, components, format);
        for (const bool normalized : {false, true}) {
            if (!normalized && (way.levels || way.form == Form::cube)) continue;
            const std::vector<float4> at = coordinates(way, normalized);
            for (const Filter filter : {Filter::point, Filter::linear})
                for (int mode = 0; mode < 5; ++mode) {
                    if (filter == Filter::linear && !components.is_blended()) continue;
                    if (way.seamless && mode != static_cast<int>(Address::clamp)) continue;
                    for (TextureModel& part : memory.model.parts) {
                        part.filter = filter;
                        part.normalized = normalized;
                        for (int d = 0; d < way.dimensions; ++d)
                            part.address[d] = static_cast<Address>(mode == 4 ? (d + 2) % 4 : mode);
                    }
                    const TextureModel& first = memory.model.parts[0];
                    cudaTextureDesc description = test::description(first, components.mode());
                    std::copy(border.begin(), border.end(), description.borderColor);
                    description.mipmapFilterMode = cuda(filter);
                    description.maxMipmapLevelClamp = 16;
                    description.seamlessCubemap = way.seamless ? 1 : 0;
                    description.sRGB = read == Read::srgb ? 1 : 0;
                    const TextureObject texture = memory.texture(description);
                    const std::string what = name(components.name(memory.count), way, first);
                    const std::size_t count = gathers ? 4 : memory.count;
                    if (as_floats && gathers)
                        expect_fetches<float, float4>(what, memory.model, count, texture, at);
                    else if (as_floats)
                        expect_fetches<float, Floats<memory.count>>(what, memory.model, count, texture, at);
                    else if (gathers)
                        expect_fetches<C, Four>(what, memory.model, count, texture, at);
                    else
                        expect_fetches<C, T>(what, memory.model, count, texture, at);
                }
        }
    }
}

template <class C, class One, class Two, class Four>
void expect_types(Read read) {
    expect_type<C, One, Four>(read);
    expect_type<C, Two, Four>(read);
    expect_type<C, Four, Four>(read);
}

class TextureFormatsSmall : public test::Gpu {};

TEST_F(TextureFormatsSmall, SignedBytes) {
    expect_types<signed char, signed char, char2, char4>(Read::elements);
    expect_types<signed char, signed char, char2, char4>(Read::fractions);
}
TEST_F(TextureFormatsSmall, Bytes) {
    expect_types<unsigned char, unsigned char, uchar2, uchar4>(Read::elements);
    expect_types<unsigned char, unsigned char, uchar2, uchar4>(Read::fractions);
}
TEST_F(TextureFormatsSmall, Srgb) { expect_type<unsigned char, uchar4, uchar4>(Read::srgb); }
TEST_F(TextureFormatsSmall, SignedWords) {
    expect_types<short, short, short2, short4>(Read::elements);
    expect_types<short, short, short2, short4>(Read::fractions);
}
TEST_F(TextureFormatsSmall, Words) {
    expect_types<unsigned short, unsigned short, ushort2, ushort4>(Read::elements);
    expect_types<unsigned short, unsigned short, ushort2, ushort4>(Read::fractions);
}
TEST_F(TextureFormatsSmall, Integers) {
    expect_types<int, int, int2, int4>(Read::elements);
    expect_types<unsigned, unsigned, uint2, uint4>(Read::elements);
}
TEST_F(TextureFormatsSmall, Halves) {
    expect_types<unsigned short, unsigned short, ushort2, ushort4>(Read::halves);
}
TEST_F(TextureFormatsSmall, Floats) { expect_types<float, float, float2, float4>(Read::elements); }

// -- Numbers that are special

/// Compares fetches from a line of texels T, with all weights between neighbours.
template <class T>
void expect_line(const std::vector<T>& stored, const cudaChannelFormatDesc& format, cudaTextureReadMode mode,
                 TextureModel texture) {
    texture.size = {static_cast<int>(stored.size()), 1, 1};
    CudaArray array(format, make_cudaExtent(stored.size(), 0, 0));
    array.copy_from(stored.data());
    const Model model{ways[0], {texture}};
    std::vector<float4> at;
    for (int i = -512; i < static_cast<int>(256 * stored.size()) + 512; ++i)
        at.push_back({static_cast<float>(i) / 256, 0, 0, 0});
    expect_fetches<float, float>("line", model, 1,
                                 TextureObject(array.get(), test::description(texture, mode)), at);
}

TEST_F(TextureFormatsSmall, ZerosAndSubnormalAndInfiniteNumbersAndNan) {
    TextureModel texture;
    texture.filter = Filter::linear;
    const std::vector<float> floats{-0.0F,          -0.0F,    0,         -0.0F,     1,       -1,
                                    1e-38F,         -1e-38F,  1.2e-38F,  -1.2e-38F, 3.4e38F, 3.4028235e38F,
                                    -3.4028235e38F, infinity, -infinity, nan};
    for (const float value : floats) texture.texels.push_back({value});
    expect_line(floats, cudaCreateChannelDesc<float>(), cudaReadModeElementType, texture);
    texture.kind = Kind::halves;
    texture.texels.clear();
    const std::vector<unsigned short> halves{0x8000, 0x8000, 0,      0x8000, 1,      0x8001, 0x83ff,
                                             0x0400, 0x7bff, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
    for (const unsigned short half : halves) texture.texels.push_back({texture_unit::from_half(half)});
    expect_line(halves, cudaCreateChannelDescHalf(), cudaReadModeElementType, texture);
    texture.kind = Kind::signed_words;
    texture.texels.clear();
    const std::vector<short> words{-32768, 0, -32768, 32767, -32768, -32767, -1, -32768, 5, 1, -1, 0};
    for (const short word : words) texture.texels.push_back({texture_unit::unclamped_fraction(word)});
    expect_line(words, cudaCreateChannelDesc<short>(), cudaReadModeNormalizedFloat, texture);
}

/// The address mode of the second dimension, which a line does not have, has an effect: if it is `border`,
/// half of the border's colour is read.
TEST_F(TextureFormatsSmall, LinesHaveABorderBesideThem) {
    TextureModel texture;
    texture.filter = Filter::linear;
    texture.address = {Address::clamp, Address::border, Address::clamp};
    texture.border = {100};
    const std::vector<float> floats{1, 256, 3, 77, 0};
    for (const float value : floats) texture.texels.push_back({value});
    expect_line(floats, cudaCreateChannelDesc<float>(), cudaReadModeElementType, texture);
}

/// A line with so many texels that normalised coordinates have another step.
TEST_F(TextureFormatsSmall, LongLines) {
    Model model{ways[0], std::vector<TextureModel>(1)};
    TextureModel& texture = model.parts[0];
    std::vector<float> floats(30000);
    for (std::size_t i = 0; i < floats.size(); ++i)
        texture.texels.push_back({floats[i] = static_cast<float>(i)});
    texture.size[0] = static_cast<int>(floats.size());
    texture.filter = Filter::linear;
    texture.normalized = true;
    const CudaArray array(floats, make_cudaExtent(floats.size(), 0, 0));
    std::vector<float4> at;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const double step = random_bits(i) % (512 * 30000) / 512.0 / 30000;
        at.push_back({beside(static_cast<float>(step), static_cast<int>(i % 9) - 4), 0, 0, 0});
    }
    expect_fetches<float, float>(
        "long line", model, 1,
        TextureObject(array.get(), test::description(texture, cudaReadModeElementType)), at);
}

/// Compares many colours of the border, for texels of one component.
template <class C>
void expect_borders(Read read) {
    const Components<C> components{read};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<C>();
    if (read == Read::halves) format.f = cudaChannelFormatKindFloat;
    const CudaArray array(format, make_cudaExtent(4, 0, 0));
    std::vector<float> colours{0,       -0.0F,    1,        -1,        0.5F,  -0.5F,  2,
                               1e10F,   -1e10F,   infinity, -infinity, nan,   1e-40F, 3e-8F,
                               6.1e-5F, -1.5e-5F, 65519,    65520,     65504, 255,    0.99999994F};
    for (std::uint32_t i = 0; i < 150; ++i) {
        const std::uint32_t word = random_bits(i);
        colours.push_back(static_cast<float>(word >> 8U) * 0x1p-23F - 1);
        colours.push_back((static_cast<float>(word % 256) + 0.5F + static_cast<float>(i % 5) * 0.01F) / 255);
        colours.push_back(static_cast<float>(word % 65536) / 65536);
    }
    int others = 0;
    for (const float colour : colours) {
        cudaTextureDesc description{};
        description.addressMode[0] = cudaAddressModeBorder;
        description.addressMode[1] = cudaAddressModeClamp;
        description.readMode = components.mode();
        description.sRGB = read == Read::srgb ? 1 : 0;
        description.borderColor[0] = colour;
        const std::vector<float4> outside{{-3, 0, 0, 0}};
        const TextureObject texture(array.get(), description);
        const bool as_floats = read != Read::elements || std::is_same_v<C, float>;
        const std::uint32_t got =
            as_floats
                ? bits_of<float>(test::run<float>(test::fetch<float>, texture, outside, Form::line)[0])[0]
                : bits_of<C>(test::run<C>(test::fetch<C>, texture, outside, Form::line)[0])[0];
        const float expected =
            std::max(components.border(colour, 0), read == Read::fractions ? -1.0F : -infinity);
        const auto bits =
            std::bit_cast<std::uint32_t>(read == Read::fractions ? expected : components.border(colour, 0));
        if (read == Read::srgb && got != bits) {
            ++others;
            EXPECT_NEAR(std::bit_cast<float>(got), expected, 0x1p-6F) << colour;
        } else {
            EXPECT_EQ(got, bits) << components.name(1) << ", border " << colour;
        }
    }
    EXPECT_LE(others, static_cast<int>(colours.size() / 100));
}

TEST_F(TextureFormatsSmall, BordersOfAnyColour) {
    expect_borders<signed char>(Read::elements);
    expect_borders<unsigned char>(Read::elements);
    expect_borders<short>(Read::elements);
    expect_borders<unsigned short>(Read::elements);
    expect_borders<int>(Read::elements);
    expect_borders<unsigned>(Read::elements);
    expect_borders<float>(Read::elements);
    expect_borders<unsigned short>(Read::halves);
    expect_borders<signed char>(Read::fractions);
    expect_borders<unsigned char>(Read::fractions);
    expect_borders<short>(Read::fractions);
    expect_borders<unsigned short>(Read::fractions);
    expect_borders<unsigned char>(Read::srgb);
}

}  // namespace
}  // namespace cudabook
