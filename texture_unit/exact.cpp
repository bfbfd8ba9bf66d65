// Draws the lessons' pictures in float32, with unrounded filter weights, by the formulas of the programming
// guide. It shares with the texture model only the coordinates of the pixels and the geometry of the cube.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "common/texture_model/cube.hpp"
#include "texture_unit/cpu.hpp"
#include "texture_unit/direction.hpp"
#include "texture_unit/draw.hpp"

namespace cudabook::texture_unit {

namespace {

/// Returns a + weight · (b - a), computed by two fmas.
Texel between(float weight, const Texel& a, const Texel& b) {
    Texel blend{};
    for (std::size_t c = 0; c < blend.size(); ++c)
        blend[c] = std::fma(weight, b[c], std::fma(-weight, a[c], a[c]));
    return blend;
}

/// The texels of a level, from index `first` on.
class Texels {
  public:
    Texels(const Scene& scene, const std::array<int, 3>& size, std::size_t level = 0, int first = 0)
        : scene_(scene), size_(size), texels_(scene.levels[level].data() + first) {}

    /// Returns the fetch at (x, y, z), where x, y and z are in texels. A dimension of one texel has no
    /// neighbours.
    [[nodiscard]] Texel at(float x, float y, float z) const {
        if (scene_.filter == Filter::point)
            return texel(whole(std::floor(x)), whole(std::floor(y)), whole(std::floor(z)));
        const auto [left, across] = split(x);
        const auto [above, down] = split(y);
        const auto plane = [&, left = left, across = across, above = above, down = down](int k) {
            const auto row = [&](int j) { return between(across, texel(left, j, k), texel(left + 1, j, k)); };
            return size_[1] == 1 ? row(0) : between(down, row(above), row(above + 1));
        };
        if (size_[2] == 1) return plane(0);
        const auto [front, deep] = split(z);
        return between(deep, plane(front), plane(front + 1));
    }

    [[nodiscard]] Texel texel(int x, int y, int z) const {
        const int i = inside(x, 0);
        const int j = inside(y, 1);
        const int k = inside(z, 2);
        if (i < 0 || j < 0 || k < 0) return {};
        return decoded(texels_[(static_cast<std::ptrdiff_t>(k) * size_[1] + j) * size_[0] + i]);
    }

  private:
    /// Converts bytes to fractions from 0 to 1, if the scene stores fractions. The fourth component is never
    /// encoded.
    [[nodiscard]] Texel decoded(Texel texel) const {
        if (scene_.store == Store::floats || scene_.store == Store::integers) return texel;
        for (std::size_t c = 0; c < texel.size(); ++c)
            texel[c] =
                scene_.store == Store::srgb && c < 3 ? srgb_fraction(texel[c]) : texel[c] * (1.0F / 255);
        return texel;
    }

    static int whole(float x) { return static_cast<int>(x); }

    /// Returns the index of the texel before a coordinate, and the distance from that texel's centre.
    static std::pair<int, float> split(float x) {
        const float first = std::floor(x - 0.5F);
        return {whole(first), x - 0.5F - first};
    }

    /// Returns the index after the guide's address mode has changed it, or -1 for the border.
    [[nodiscard]] int inside(int i, std::size_t dimension) const {
        const int size = size_[dimension];
        if (i >= 0 && i < size) return i;
        switch (scene_.address[dimension]) {
            case Address::border:
                return -1;
            case Address::wrap:
                return (i % size + size) % size;
            case Address::mirror: {
                const int twice = (i % (2 * size) + 2 * size) % (2 * size);
                return twice < size ? twice : 2 * size - 1 - twice;
            }
            case Address::clamp:
                break;
        }
        return i < 0 ? 0 : size - 1;
    }

    const Scene& scene_;
    std::array<int, 3> size_;
    const Texel* texels_;
};

Texel on_cube(const Scene& scene, const Direction& direction) {
    const CubePoint point = cube_point(direction.x, direction.y, direction.z);
    const int face = point.face;
    const int size = scene.size[0];
    const auto face_at = [&](int i) { return Texels(scene, {size, size, 1}, 0, i * size * size); };
    const float x = point.s * static_cast<float>(size);
    const float y = point.t * static_cast<float>(size);
    if (!scene.seamless) return face_at(face).at(x, y, 0);

    const auto texel = [&](int i, int j) {
        const auto across = [&](int a, int b) {
            const CubeTexel other = across_edge(face, a, b, size);
            return face_at(other.face).texel(other.x, other.y, 0);
        };
        const int inner_i = std::clamp(i, 0, size - 1);
        const int inner_j = std::clamp(j, 0, size - 1);
        if (i == inner_i && j == inner_j) return face_at(face).texel(i, j, 0);
        if (i == inner_i || j == inner_j) return across(i, j);
        const Texel a = face_at(face).texel(inner_i, inner_j, 0);
        const Texel b = across(i, inner_j);
        const Texel c = across(inner_i, j);
        Texel mean{};
        for (std::size_t n = 0; n < mean.size(); ++n) mean[n] = (a[n] + b[n] + c[n]) / 3;
        return mean;
    };
    const int left = static_cast<int>(std::floor(x - 0.5F));
    const int above = static_cast<int>(std::floor(y - 0.5F));
    const float across = x - 0.5F - static_cast<float>(left);
    const float down = y - 0.5F - static_cast<float>(above);
    return between(down, between(across, texel(left, above), texel(left + 1, above)),
                   between(across, texel(left, above + 1), texel(left + 1, above + 1)));
}

Texel on_level(const Scene& scene, int level, float x, float y) {
    const int size = scene.size[0] >> level;
    return Texels(scene, {size, size, 1}, static_cast<std::size_t>(level))
        .at(x * static_cast<float>(size), y * static_cast<float>(size), 0);
}

Texel on_floor(const Scene& scene, int column, int row) {
    const FloorRow& floor = scene.rows[static_cast<std::size_t>(row)];
    const float x = across_floor(floor, column, scene.width);
    const auto last = static_cast<float>(scene.level_count() - 1);
    const float level = std::clamp(floor.level + scene.bias, 0.0F, last);
    if (scene.level_filter == Filter::point)
        return on_level(scene, static_cast<int>(std::floor(level + 0.5F)), x, floor.at);
    const int first = static_cast<int>(level);
    const int second = std::min(first + 1, scene.level_count() - 1);
    return between(level - static_cast<float>(first), on_level(scene, first, x, floor.at),
                   on_level(scene, second, x, floor.at));
}

Texel on_tile(const Scene& scene, int column, int row) {
    const int tile = scene.tile();
    const int layer = row / tile * scene.tiles + column / tile;
    const auto [width, height, depth] = scene.size;
    return Texels(scene, {width, height, 1}, 0, layer * width * height)
        .at(scene.view.x.of(column % tile, row % tile), scene.view.y.of(column % tile, row % tile), 0);
}

}  // namespace

float srgb_fraction(float code) {
    const double fraction = static_cast<double>(code) / 255;
    return static_cast<float>(fraction <= 0.04045 ? fraction / 12.92
                                                  : std::pow((fraction + 0.055) / 1.055, 2.4));
}

std::array<float, 4> b_spline(float t) {
    const float rest = 1 - t;
    return {rest * rest * rest * (1.0F / 6), std::fma(t * t, std::fma(t, 0.5F, -1.0F), 2.0F / 3),
            std::fma(rest * rest, std::fma(rest, 0.5F, -1.0F), 2.0F / 3), t * t * t * (1.0F / 6)};
}

Image in_exact_arithmetic(const Scene& scene) {
    if (scene.shape == TextureShape::layers)
        return draw(scene, [&](int column, int row) { return on_tile(scene, column, row); });
    if (scene.shape == TextureShape::cube)
        return draw(scene, [&](int column, int row) {
            return on_cube(scene, direction_of(column, row, scene.width));
        });
    if (scene.shape == TextureShape::levels)
        return draw(scene, [&](int column, int row) { return on_floor(scene, column, row); });
    const Texels texels(scene, scene.size);
    const std::array<float, 3> scale = [&] {
        std::array<float, 3> all{1, 1, 1};
        for (std::size_t d = 0; scene.normalized && d < all.size(); ++d)
            all[d] = static_cast<float>(scene.size[d]);
        return all;
    }();
    return draw(scene, [&](int column, int row) {
        return texels.at(scene.view.x.of(column, row) * scale[0], scene.view.y.of(column, row) * scale[1],
                         scene.view.z.of(column, row) * scale[2]);
    });
}

Image bicubic_exact(const Scene& scene) {
    const Texels texels(scene, scene.size);
    return draw(scene, [&](int column, int row) {
        const float x = scene.view.x.of(column, row) - 0.5F;
        const float y = scene.view.y.of(column, row) - 0.5F;
        const std::array<float, 4> across = b_spline(x - std::floor(x));
        const std::array<float, 4> down = b_spline(y - std::floor(y));
        Texel sum{};
        for (int j = 0; j < 4; ++j) {
            Texel along{};
            for (int i = 0; i < 4; ++i) {
                const Texel texel = texels.texel(static_cast<int>(std::floor(x)) - 1 + i,
                                                 static_cast<int>(std::floor(y)) - 1 + j, 0);
                for (std::size_t c = 0; c < along.size(); ++c)
                    along[c] = std::fma(across[static_cast<std::size_t>(i)], texel[c], along[c]);
            }
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] = std::fma(down[static_cast<std::size_t>(j)], along[c], sum[c]);
        }
        return sum;
    });
}

Image looked_up_exactly(const Scene& scene) {
    const auto last = static_cast<int>(scene.curve.size()) - 1;
    return draw(scene, [&](int column, int row) {
        Texel pixel = scene.levels[0].begin()[std::ptrdiff_t{row} * scene.width + column];
        for (float& value : pixel) {
            const float at = value * scene.per_value();
            const int first = std::min(static_cast<int>(at), last);
            const float a = scene.curve[static_cast<std::size_t>(first)];
            const float b = scene.curve[static_cast<std::size_t>(std::min(first + 1, last))];
            value = std::fma(at - static_cast<float>(first), b - a, a);
        }
        return pixel;
    });
}

Image gathered_exactly(const Scene& scene) {
    const Texels texels(scene, scene.size);
    // As the guide says, a position is rounded to 1/256 before the texels around it are chosen.
    const auto before = [](float position) {
        return static_cast<int>(
            std::floor(std::floor((static_cast<double>(position) - 0.5) * 256 + 0.5) / 256));
    };
    return draw(scene, [&](int column, int row) {
        const int left = before(scene.view.x.of(column, row));
        const int above = before(scene.view.y.of(column, row));
        Texel pixel{};
        for (std::size_t c = 0; c < pixel.size(); ++c)
            pixel[c] = std::fabs(texels.texel(left, above + 1, 0)[c] - texels.texel(left + 1, above, 0)[c]) +
                       std::fabs(texels.texel(left + 1, above + 1, 0)[c] - texels.texel(left, above, 0)[c]);
        return pixel;
    });
}

}  // namespace cudabook::texture_unit
