// common/texture_model/: compared with the texture unit; every fetch must give the model's bits. Where floats
// are filtered, their texels are integers small enough for every product with a weight and every sum to be
// exact in 24 bits.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "common/texture_model/model.hpp"
#include "tests/support/gpu.hpp"
#include "tests/texture_model/fetches.cuh"

namespace cudabook {
namespace {

using test::cuda;
using test::description;
using test::Form;
using test::random_bits;
using texture_unit::Address;
using texture_unit::as_fraction;
using texture_unit::Filter;
using texture_unit::MipmapModel;
using texture_unit::Texel;
using texture_unit::TextureModel;

// -- elements

/// Makes texels of type T from random bits, and their values in the model; Fetched is the type of a fetch.
template <class T>
struct Element;

template <>
struct Element<float> {
    using Fetched = float;
    static constexpr cudaTextureReadMode mode = cudaReadModeElementType;
    static constexpr bool filtered = true;
    static constexpr texture_unit::Kind kind = texture_unit::Kind::floats;
    static float texel(std::uint32_t bits, int dimensions) {
        return static_cast<float>(bits & (dimensions == 3 ? 1U : 255U));
    }
    static Texel model(float texel) { return {texel}; }
};

template <>
struct Element<uchar4> {
    using Fetched = float4;
    static constexpr cudaTextureReadMode mode = cudaReadModeNormalizedFloat;
    static constexpr bool filtered = true;
    static constexpr texture_unit::Kind kind = texture_unit::Kind::unsigned_fractions;
    static uchar4 texel(std::uint32_t bits, int /*dimensions*/) { return std::bit_cast<uchar4>(bits); }
    static Texel model(uchar4 texel) {
        return {as_fraction(texel.x), as_fraction(texel.y), as_fraction(texel.z), as_fraction(texel.w)};
    }
};

template <>
struct Element<short2> {
    using Fetched = float2;
    static constexpr cudaTextureReadMode mode = cudaReadModeNormalizedFloat;
    static constexpr bool filtered = true;
    static constexpr texture_unit::Kind kind = texture_unit::Kind::signed_words;
    static short2 texel(std::uint32_t bits, int /*dimensions*/) { return std::bit_cast<short2>(bits); }
    static Texel model(short2 texel) { return {as_fraction(texel.x), as_fraction(texel.y)}; }
};

template <>
struct Element<ushort2> {
    using Fetched = float2;
    static constexpr cudaTextureReadMode mode = cudaReadModeNormalizedFloat;
    static constexpr bool filtered = true;
    static constexpr texture_unit::Kind kind = texture_unit::Kind::unsigned_fractions;
    static ushort2 texel(std::uint32_t bits, int /*dimensions*/) { return std::bit_cast<ushort2>(bits); }
    static Texel model(ushort2 texel) { return {as_fraction(texel.x), as_fraction(texel.y)}; }
};

template <>
struct Element<int> {
    using Fetched = int;
    static constexpr cudaTextureReadMode mode = cudaReadModeElementType;
    static constexpr bool filtered = false;
    static constexpr texture_unit::Kind kind = texture_unit::Kind::floats;
    /// 24 bits, so that the model's float is exact.
    static int texel(std::uint32_t bits, int /*dimensions*/) { return static_cast<int>(bits) >> 8; }
    static Texel model(int texel) { return {static_cast<float>(texel)}; }
};

Texel as_texel(float value) { return {value}; }
Texel as_texel(float2 value) { return {value.x, value.y}; }
Texel as_texel(float4 value) { return {value.x, value.y, value.z, value.w}; }
Texel as_texel(int value) { return {static_cast<float>(value)}; }

template <class T>
std::vector<T> random_texels(const std::array<int, 3>& size, int dimensions) {
    std::vector<T> texels;
    for (int i = 0; i < size[0] * size[1] * size[2]; ++i)
        texels.push_back(Element<T>::texel(random_bits(i), dimensions));
    return texels;
}

template <class T>
std::vector<Texel> model_texels(const std::vector<T>& texels) {
    std::vector<Texel> all;
    for (const T& texel : texels) all.push_back(Element<T>::model(texel));
    return all;
}

// -- fetching

template <class T>
__global__ void fetch_index(T* to, cudaTextureObject_t texture, const int* at, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = tex1Dfetch<T>(texture, at[i]);
}

template <class Fetched>
std::vector<Texel> as_texels(const std::vector<Fetched>& fetched) {
    std::vector<Texel> texels;
    for (const Fetched& value : fetched) texels.push_back(as_texel(value));
    return texels;
}

template <class Fetched>
std::vector<Texel> fetched(const TextureObject& texture, const std::vector<float4>& at, Form form) {
    return as_texels(test::run<Fetched>(test::fetch<Fetched>, texture, at, form));
}

/// Fails, with the first few coordinates, unless every got[i] is model(at[i]).
template <class Model>
void expect_model(const std::string& what, const std::vector<float4>& at, const std::vector<Texel>& got,
                  Model model) {
    constexpr int shown = 6;
    int wrong = 0;
    std::string text;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const Texel expected = model(at[i]);
        if (got[i] == expected) continue;
        if (++wrong > shown) continue;
        text += fmt::format("\n  at ({:.9g}, {:.9g}, {:.9g}; {:.9g}) = ({:a}, {:a}, {:a})", at[i].x, at[i].y,
                            at[i].z, at[i].w, at[i].x, at[i].y, at[i].z);
        for (std::size_t c = 0; c < 4; ++c)
            if (got[i][c] != expected[c])
                text +=
                    fmt::format("\n    component {}: expected {:.9g}, got {:.9g}", c, expected[c], got[i][c]);
    }
    if (wrong > 0) ADD_FAILURE() << what << ": " << wrong << " of " << at.size() << " fetches differ" << text;
}

// -- coordinates

/// The positions at which a texture is read, in texels: next to a step of the weights (an odd multiple of
/// 1/512), on a step, or on an edge.
enum class Where { beside, on_steps, on_edges };

/// Positions, in texels, along a dimension of n texels: in range, at both edges and out of range.
std::vector<double> positions(int n, Where where) {
    std::vector<double> all;
    if (where == Where::on_edges) {
        for (int i = -2 * n; i <= 3 * n; ++i) all.push_back(i);
        return all;
    }
    if (where != Where::on_steps)
        for (int i = -16 * (n + 2); i <= 32 * n; ++i) all.push_back(i / 16.0);
    for (const double first : {-0.5, 0.5, n - 1.5, n - 0.5})
        for (int k = 0; k <= 256; ++k) {
            const double whole = first + k / 256.0;
            const double step = whole + 1 / 512.0;
            if (where == Where::on_steps) all.push_back(step);
            if (where == Where::beside)
                for (const double beside : {whole - 0x1p-13, whole + 0x1p-13, step - 0x1p-13, step + 0x1p-13})
                    all.push_back(beside);
        }
    return all;
}

/// Coordinates for a model of `dimensions`: all positions on a line, random ones in a plane or a volume.
std::vector<float4> coordinates(const TextureModel& model, int dimensions, Where where) {
    std::array<std::vector<float>, 3> along;
    for (int d = 0; d < dimensions; ++d)
        for (const double position : positions(model.size[d], where))
            along[d].push_back(static_cast<float>(model.normalized ? position / model.size[d] : position));
    const std::size_t count = std::max<std::size_t>(along[0].size(), dimensions == 1 ? 0 : 4000);
    std::vector<float4> all;
    for (std::size_t i = 0; i < count; ++i) {
        const auto any = [&](std::uint32_t d) {
            return along[d].empty()
                       ? 0
                       : along[d][random_bits(static_cast<std::uint32_t>(3 * i + d)) % along[d].size()];
        };
        all.push_back({dimensions == 1 ? along[0][i] : any(0), any(1), any(2), 0});
    }
    return all;
}

// -- the comparison

std::string name(const TextureModel& model, const char* memory) {
    constexpr std::array names{"wrap", "clamp", "mirror", "border"};
    return fmt::format("{} {}x{}x{}, {} {} {}, {}, {}", memory, model.size[0], model.size[1], model.size[2],
                       names[static_cast<int>(model.address[0])], names[static_cast<int>(model.address[1])],
                       names[static_cast<int>(model.address[2])],
                       model.filter == Filter::point ? "point" : "linear",
                       model.normalized ? "normalised" : "not normalised");
}

/// Calls act(model) for every way to read `model`: filters, coordinates, and address modes that are equal or
/// different in the dimensions.
template <class T, class Act>
void for_all_ways(TextureModel model, int dimensions, Act act) {
    for (const Filter filter : {Filter::point, Filter::linear})
        for (const bool normalized : {false, true})
            for (int mode = 0; mode < 4; ++mode)
                for (int turn = 0; turn < (dimensions == 1 ? 1 : 2); ++turn) {
                    if (filter == Filter::linear && !Element<T>::filtered) continue;
                    model.filter = filter;
                    model.normalized = normalized;
                    for (int d = 0; d < dimensions; ++d)
                        model.address[d] = static_cast<Address>((mode + d * turn) % 4);
                    act(model);
                }
}

/// Checks that a texture over `resource` agrees with the model at these positions.
template <class T>
void expect_texture(const TextureModel& model, int dimensions, const cudaResourceDesc& resource,
                    const char* memory, Where where) {
    const TextureObject texture(resource, description(model, Element<T>::mode));
    constexpr std::array forms{Form::line, Form::plane, Form::volume};
    const std::vector<float4> at = coordinates(model, dimensions, where);
    expect_model(name(model, memory), at,
                 fetched<typename Element<T>::Fetched>(texture, at, forms[dimensions - 1]),
                 [&](float4 c) { return model.at(c.x, c.y, c.z); });
}

/// Checks CUDA arrays of T, with a size that is a power of two and one that is not, read in every way.
template <class T>
void expect_arrays(int dimensions, Where where = Where::beside) {
    for (const std::array<int, 3>& full : {std::array{8, 4, 2}, std::array{5, 3, 7}, std::array{1, 1, 1}}) {
        TextureModel model;
        for (int d = 0; d < dimensions; ++d) model.size[d] = full[d];
        const std::vector<T> texels = random_texels<T>(model.size, dimensions);
        model.texels = model_texels(texels);
        model.kind = Element<T>::kind;
        const CudaArray memory(texels, make_cudaExtent(model.size[0], dimensions > 1 ? model.size[1] : 0,
                                                       dimensions > 2 ? model.size[2] : 0));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = memory.get();
        for_all_ways<T>(model, dimensions, [&](const TextureModel& way) {
            expect_texture<T>(way, dimensions, resource, "array", where);
        });
    }
}

class TextureModelSmall : public test::Gpu {};

TEST_F(TextureModelSmall, Floats) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<float>(dimensions);
}

TEST_F(TextureModelSmall, BytesAsNormalizedFloats) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<uchar4>(dimensions);
}

TEST_F(TextureModelSmall, WordsAsNormalizedFloats) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<short2>(dimensions);
}

TEST_F(TextureModelSmall, UnsignedWordsAsNormalizedFloats) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<ushort2>(dimensions);
}

/// Positions for which in_256ths() is halfway between two steps of 1/256.
TEST_F(TextureModelSmall, HalfwayBetweenTwoWeights) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<float>(dimensions, Where::on_steps);
}

/// Exactly between two texels, also with mirroring.
TEST_F(TextureModelSmall, OnTheEdgesOfTexels) {
    for (const int dimensions : {1, 2, 3}) expect_arrays<float>(dimensions, Where::on_edges);
}

/// Pitched memory, with other texels between the rows.
template <class T>
void expect_pitched() {
    for (const std::array<int, 3>& size : {std::array{8, 4, 1}, std::array{5, 3, 1}}) {
        TextureModel model;
        model.size = size;
        const std::vector<T> texels = random_texels<T>(size, 2);
        model.texels = model_texels(texels);
        model.kind = Element<T>::kind;
        constexpr int pitch = 64;  // texels: a multiple of 32 bytes
        std::vector<T> rows(static_cast<std::size_t>(pitch) * size[1], Element<T>::texel(~0U, 2));
        for (int y = 0; y < size[1]; ++y) std::copy_n(&texels[y * size[0]], size[0], &rows[y * pitch]);
        const DeviceArray<T> memory{std::span<const T>(rows)};
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory.data();
        resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
        resource.res.pitch2D.width = size[0];
        resource.res.pitch2D.height = size[1];
        resource.res.pitch2D.pitchInBytes = pitch * sizeof(T);
        for_all_ways<T>(model, 2, [&](const TextureModel& way) {
            expect_texture<T>(way, 2, resource, "pitched", Where::beside);
        });
    }
}

TEST_F(TextureModelSmall, PitchedMemory) {
    expect_pitched<float>();
    expect_pitched<uchar4>();
    expect_pitched<int>();
}

template <class T>
void expect_linear_memory() {
    TextureModel model;
    model.size = {1000, 1, 1};
    const std::vector<T> texels = random_texels<T>({3000, 1, 1}, 1);
    model.texels = model_texels(texels);
    const DeviceArray<T> memory{std::span<const T>(texels)};
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory.data();
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = model.size[0] * sizeof(T);
    std::vector<int> at{-1, -2, -1000, 1 << 27, -(1 << 27)};
    for (int i = 0; i < 2000; ++i) at.push_back(i);
    const TextureObject texture(resource, description(model, Element<T>::mode));
    using Fetched = typename Element<T>::Fetched;
    const std::vector<Texel> got = as_texels(test::run<Fetched>(fetch_index<Fetched>, texture, at));
    for (std::size_t i = 0; i < at.size(); ++i) ASSERT_EQ(got[i], model.fetch(at[i])) << at[i];
}

TEST_F(TextureModelSmall, LinearMemory) {
    expect_linear_memory<float>();
    expect_linear_memory<uchar4>();
    expect_linear_memory<short2>();
    expect_linear_memory<int>();
}

/// A line of floats, as a model and as an array.
struct Line {
    TextureModel model;
    std::vector<float> texels;
    explicit Line(int size) {
        model.size = {size, 1, 1};
        texels = random_texels<float>(model.size, 1);
        model.texels = model_texels(texels);
    }
    [[nodiscard]] CudaArray array() const { return {texels, make_cudaExtent(texels.size(), 0, 0)}; }
};

/// The guide's table lookup: entry i is exact at x = i.
TEST_F(TextureModelSmall, TableLookUp) {
    const Line line(100);
    const CudaArray memory = line.array();
    TextureModel model = line.model;
    model.filter = Filter::linear;
    const TextureObject texture(memory.get(), description(model, cudaReadModeElementType));
    std::vector<float4> at;
    for (int i = 0; i < 100; ++i) at.push_back({static_cast<float>(i) + 0.5F, 0, 0, static_cast<float>(i)});
    const std::vector<Texel> got = fetched<float>(texture, at, Form::line);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(got[i][0], line.texels[i]);
        EXPECT_EQ(got[i], model.look_up(at[i].w, 99));
    }
}

/// Directions through the inside of texels: the guide does not say what happens where faces or texels meet,
/// or between their centres.
TEST_F(TextureModelSmall, CubeFaces) {
    constexpr int side = 4;
    std::vector<float> texels;
    for (int i = 0; i < 6 * side * side; ++i) texels.push_back(static_cast<float>(i));
    const CudaArray memory(texels, make_cudaExtent(side, side, 6), cudaArrayCubemap);
    std::array<TextureModel, 6> faces;
    for (int i = 0; i < 6; ++i) {
        faces[i].size = {side, side, 1};
        faces[i].normalized = true;
        faces[i].texels = model_texels(
            std::vector<float>(texels.begin() + i * side * side, texels.begin() + (i + 1) * side * side));
    }
    std::vector<float4> at;
    for (int face = 0; face < 6; ++face)
        for (int i = 0; i < 15 * 15; ++i) {
            // -0.9375 to 0.9375, except the edges of texels at multiples of 1/2
            const float u = static_cast<float>(i % 15 - 7) / 8 + 0x1p-5F;
            const float v = static_cast<float>(i / 15 - 7) / 8 + 0x1p-5F;
            const float major = 3 * (face % 2 == 0 ? 1.0F : -1.0F);
            if (face < 2) at.push_back({major, 3 * u, 3 * v, 0});
            if (face / 2 == 1) at.push_back({3 * u, major, 3 * v, 0});
            if (face > 3) at.push_back({3 * u, 3 * v, major, 0});
        }
    const TextureObject texture(memory.get(), description(faces[0], cudaReadModeElementType));
    expect_model("cube", at, fetched<float>(texture, at, Form::cube),
                 [&](float4 c) { return texture_unit::cubemap(faces, c.x, c.y, c.z); });
}

TEST_F(TextureModelSmall, Levels) {
    MipmapModel model;
    MipmappedArray memory(cudaCreateChannelDesc<float>(), make_cudaExtent(8, 4, 0), 4);
    for (unsigned i = 0; i < 4; ++i) {
        TextureModel level;
        level.size = {8 >> i, std::max(4 >> i, 1), 1};
        level.normalized = true;
        const std::vector<float> texels(static_cast<std::size_t>(level.size[0]) * level.size[1],
                                        static_cast<float>(16 << i));
        level.texels = model_texels(texels);
        model.levels.push_back(level);
        memory.copy_from(i, texels.data());
    }
    std::vector<float4> at;
    for (int i = -16; i <= 5 * 16; ++i) at.push_back({0.3F, 0.6F, 0, static_cast<float>(i) / 16 + 0x1p-10F});
    for (const Filter filter : {Filter::point, Filter::linear})
        for (const auto& [bias, least, most] :
             {std::array{0.0F, 0.0F, 3.0F}, {0.0F, 0.0F, 9.0F}, {0.75F, 0.0F, 3.0F}, {-1.0F, 1.0F, 2.25F}}) {
            model.filter = filter;
            model.bias = bias;
            model.least = least;
            model.most = most;
            cudaTextureDesc texture = description(model.levels[0], cudaReadModeElementType);
            texture.mipmapFilterMode = cuda(filter);
            texture.mipmapLevelBias = bias;
            texture.minMipmapLevelClamp = least;
            texture.maxMipmapLevelClamp = most;
            texture.disableTrilinearOptimization = 1;
            expect_model(fmt::format("levels, {}, bias {}, {} to {}",
                                     filter == Filter::point ? "point" : "linear", bias, least, most),
                         at, fetched<float>(TextureObject(memory.get(), texture), at, Form::plane_level),
                         [&](float4 c) { return model.at(c.w, c.x, c.y); });
        }
}

}  // namespace
}  // namespace cudabook
