// A model of texture fetches on the CPU. The source is the CUDA C++ Programming Guide, its chapter on texture
// memory and its appendix on texture fetching, unless another source is named.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace cudabook::test {

/// What is read out of range: the texture again, its nearest texel, its mirror image, or the border value.
enum class Address { wrap, clamp, mirror, border };
enum class Filter { point, linear };

/// Components that a texel does not have are 0.
using Texel = std::array<float, 4>;

/// An integer as read with cudaReadModeNormalizedFloat: -1 to 1, or 0 to 1 if it is unsigned.
template <class Integer>
float as_fraction(Integer value) {
    static_assert(std::is_integral_v<Integer> && sizeof(Integer) <= 2);
    const float most = std::numeric_limits<Integer>::max();
    return std::max(static_cast<float>(value) / most, -1.0F);
}

/// A position in texels, as used by linear filtering and gathering, or a weight: rounded to the nearest
/// multiple of 1/256 (the guide's section on gathering), halves upwards (measured on an H200).
inline double in_256ths(double position) { return std::floor(position * 256 + 0.5) / 256; }

/// The two texels that a fetch reads along one dimension.
struct Neighbours {
    std::array<int, 2> index;  ///< -1: the border
    double second = 0;         ///< weight of the second, a multiple of 1/256; the first has the rest
};

/// A dimension of a texture.
struct Axis {
    int size = 1;
    Address address = Address::clamp;
    bool normalized = false;

    /// Point filtering at a finite x: the texel that contains it, twice.
    [[nodiscard]] Neighbours nearest(float x) const {
        const int index = resolved(std::floor(position(x)));
        return {{index, index}};
    }

    /// Linear filtering at a finite x: the texels whose centres, at index + 0.5, are on either side. If the
    /// position is clamped, both are the same texel, but the first has all the weight (measured on an H200:
    /// in volumes the rounding of the weights shows it).
    [[nodiscard]] Neighbours between(float x) const {
        const double from_centre = in_256ths(position(x) - 0.5);
        const double first = std::floor(from_centre);
        const bool beside = clamped() && (first < 0 || first >= size - 1);
        return {{resolved(first), resolved(first + 1)}, beside ? 0 : from_centre - first};
    }

    /// x in texels.
    [[nodiscard]] double position(float x) const {
        return normalized ? static_cast<double>(x) * size : static_cast<double>(x);
    }

  private:
    /// Wrap and mirror are switched to clamp where coordinates are not normalised (cudaCreateTextureObject's
    /// reference).
    [[nodiscard]] bool clamped() const {
        return address == Address::clamp || (address != Address::border && !normalized);
    }

    /// The texel for an index that may be out of range. The guide mirrors the coordinate, but the unit
    /// mirrors the index, which differs only exactly on the edges of texels (measured on an H200).
    [[nodiscard]] int resolved(double index) const {
        if (clamped()) return static_cast<int>(std::clamp<double>(index, 0, size - 1));
        if (address == Address::border) return index < 0 || index >= size ? -1 : static_cast<int>(index);
        if (address == Address::wrap) return static_cast<int>(modulo(index, size));
        const double there_and_back = modulo(index, 2.0 * size);
        return static_cast<int>(std::min(there_and_back, 2.0 * size - 1 - there_and_back));
    }

    static double modulo(double a, double b) {
        const double rest = std::fmod(a, b);
        return rest < 0 ? rest + b : rest;
    }
};

/// A texture of one, two or three dimensions. A missing dimension has one texel and is clamped.
struct TextureModel {
    std::array<int, 3> size{1, 1, 1};  ///< width, height, depth in texels
    std::vector<Texel> texels;         ///< x runs fastest, then y
    std::array<Address, 3> address{Address::clamp, Address::clamp, Address::clamp};
    Filter filter = Filter::point;
    bool normalized = false;  ///< coordinates from 0 to 1 instead of 0 to the size
    Texel border{};

    /// The number of steps from 0 to 1 when linear filtering blends normalized integers: 65535 for unsigned
    /// char and unsigned short, 32767 for short; 0: the texels are floats.
    int steps = 0;

    /// tex1D, tex2D, tex3D at finite coordinates.
    [[nodiscard]] Texel at(float x, float y = 0, float z = 0) const {
        const std::array<Neighbours, 3> near{neighbours(0, x), neighbours(1, y), neighbours(2, z)};
        std::array<double, 4> sum{};
        for (std::size_t corner = 0; corner < 8; ++corner) {
            const std::array<std::size_t, 3> side{corner & 1U, corner >> 1U & 1U, corner >> 2U};
            const double weight = weight_of(side, {near[0].second, near[1].second, near[2].second});
            if (weight == 0) continue;
            const Texel& value =
                texel({near[0].index[side[0]], near[1].index[side[1]], near[2].index[side[2]]});
            for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * in_steps(value[c]);
        }
        return {blended(sum[0]), blended(sum[1]), blended(sum[2]), blended(sum[3])};
    }

    /// The weight of the texel on these sides, in 1/256. Measured on an H200, for all weights in two and
    /// three dimensions: the whole is split along z, each part along x, and each of these along y; the part
    /// on the side named here is rounded to 1/256, and the other gets the rest.
    static double weight_of(const std::array<std::size_t, 3>& side, const std::array<double, 3>& second) {
        const auto [x, y, z] = side;
        const double of_z = z == 1 ? second[2] : 1 - second[2];
        const double right = in_256ths(of_z * second[0]);
        const double of_x = x == 1 ? right : of_z - right;
        const std::size_t rounded_side = x;
        const double rounded = in_256ths(of_x * (rounded_side == 1 ? second[1] : 1 - second[1]));
        return y == rounded_side ? rounded : of_x - rounded;
    }

    /// tex1Dfetch: no filter, and 0 out of range.
    [[nodiscard]] Texel fetch(int index) const {
        return index < 0 || index >= size[0] ? Texel{} : texel({index, 0, 0});
    }

    /// tex2Dgather: one component of the four texels that linear filtering would read, with any filter mode,
    /// counter-clockwise from the lower left if y points down (PTX, tld4).
    [[nodiscard]] Texel gather(float x, float y, std::size_t component) const {
        const auto [left, right] = axis(0).between(x).index;
        const auto [top, bottom] = axis(1).between(y).index;
        return {texel({left, bottom, 0})[component], texel({right, bottom, 0})[component],
                texel({right, top, 0})[component], texel({left, top, 0})[component]};
    }

    /// The guide's table lookup with linear filtering: from the first texel at x = 0 to the last at x =
    /// range.
    [[nodiscard]] Texel look_up(float x, float range) const {
        return at(static_cast<float>(size[0] - 1) / range * x + 0.5F);
    }

  private:
    [[nodiscard]] Axis axis(std::size_t d) const { return {size[d], address[d], normalized}; }

    /// Normalized integers are blended in whole steps, and the blend is rounded to a step, halves upwards
    /// (measured on an H200: each of 660000 fetches).
    [[nodiscard]] double in_steps(float value) const {
        return steps == 0 || filter == Filter::point ? static_cast<double>(value)
                                                     : std::round(static_cast<double>(value) * steps);
    }
    [[nodiscard]] float blended(double sum) const {
        return static_cast<float>(steps == 0 || filter == Filter::point ? sum
                                                                        : std::floor(sum + 0.5) / steps);
    }

    [[nodiscard]] Neighbours neighbours(std::size_t d, float x) const {
        return filter == Filter::linear ? axis(d).between(x) : axis(d).nearest(x);
    }

    [[nodiscard]] const Texel& texel(const std::array<int, 3>& index) const {
        const auto [x, y, z] = index;
        if (x < 0 || y < 0 || z < 0) return border;
        return texels[(static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) +
                       static_cast<std::size_t>(y)) *
                          static_cast<std::size_t>(size[0]) +
                      static_cast<std::size_t>(x)];
    }
};

/// tex1DLayered, tex2DLayered: no filtering between layers. Beyond the last layer, and below 0, the last
/// layer is read (measured on an H200; the guide does not say).
inline Texel layered(const std::vector<TextureModel>& layers, int layer, float x, float y = 0) {
    const auto wanted = static_cast<std::size_t>(static_cast<unsigned>(layer));
    return layers[std::min(wanted, layers.size() - 1)].at(x, y);
}

/// A point of a cube map: the face, and normalised coordinates on it.
struct CubePoint {
    int face;  ///< +x, -x, +y, -y, +z, -z
    float s, t;
};

/// The point where a direction other than 0 meets the cube: the guide's table. On an edge the guide leaves
/// the face open; here z comes before y before x.
inline CubePoint cube_point(float x, float y, float z) {
    const float ax = std::fabs(x);
    const float ay = std::fabs(y);
    const float az = std::fabs(z);
    const auto on_face = [](int face, float s, float t, float major) {
        return CubePoint{face, (s / major + 1) / 2, (t / major + 1) / 2};
    };
    if (az >= ax && az >= ay) return z >= 0 ? on_face(4, x, -y, az) : on_face(5, -x, -y, az);
    if (ay >= ax) return y >= 0 ? on_face(2, x, z, ay) : on_face(3, x, -z, ay);
    return x >= 0 ? on_face(0, -z, -y, ax) : on_face(1, z, -y, ax);
}

/// texCubemap: faces as in cube_point(), with normalised coordinates; filtering does not cross faces.
inline Texel cubemap(const std::array<TextureModel, 6>& faces, float x, float y, float z) {
    const CubePoint point = cube_point(x, y, z);
    return faces[static_cast<std::size_t>(point.face)].at(point.s, point.t);
}

/// The levels of a texture, each half as large as the previous one, with normalised coordinates.
struct MipmapModel {
    std::vector<TextureModel> levels;
    Filter filter = Filter::point;  ///< between levels
    float bias = 0;                 ///< added to the level
    float least = 0;                ///< the level is clamped to least and most, then to the existing levels
    float most = std::numeric_limits<float>::max();

    /// tex1DLod, tex2DLod, tex3DLod.
    [[nodiscard]] Texel at(float level, float x, float y = 0, float z = 0) const {
        const auto [index, second] = chosen(level);
        const Texel a = levels[static_cast<std::size_t>(index[0])].at(x, y, z);
        const Texel b = levels[static_cast<std::size_t>(index[1])].at(x, y, z);
        Texel blend{};
        for (std::size_t c = 0; c < 4; ++c)
            blend[c] = static_cast<float>((1 - second) * static_cast<double>(a[c]) +
                                          second * static_cast<double>(b[c]));
        return blend;
    }

    /// The levels read: the nearest one, halves upwards, or the two around `level`. The guide only names the
    /// fields; that the level is truncated to a multiple of 1/256 was measured on an H200.
    [[nodiscard]] Neighbours chosen(float level) const {
        const int last = static_cast<int>(levels.size()) - 1;
        const float cut = std::trunc(level * 256) / 256;
        const double lod = std::clamp<double>(std::clamp(cut + bias, least, std::max(least, most)), 0, last);
        if (filter == Filter::point) {
            const int nearest = static_cast<int>(std::floor(lod + 0.5));
            return {{nearest, nearest}};
        }
        const double rounded = in_256ths(lod);
        const int first = static_cast<int>(rounded);
        return {{first, std::min(first + 1, last)}, rounded - first};
    }
};

}  // namespace cudabook::test
