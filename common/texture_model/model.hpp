// A model of texture fetches on the CPU: textures whose texels are floats in a vector.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/blending.hpp"
#include "common/texture_model/cube.hpp"
#include "common/texture_model/levels.hpp"
#include "common/texture_model/texels.hpp"

namespace cudabook::texture_unit {

/// A texture of one, two or three dimensions. A missing dimension has one texel, which is read at 0. In a
/// texture of one dimension, the missing dimension y is still filtered. If the address mode of y is clamp,
/// the texel has the whole weight. If the address mode of y is border, linear filtering gives half of the
/// weight to the border (measured on an H200).
struct TextureModel {
    std::array<int, 3> size{1, 1, 1};  ///< width, height, depth in texels
    std::vector<Texel> texels;         ///< x runs fastest, then y
    std::array<Address, 3> address{Address::clamp, Address::clamp, Address::clamp};
    Filter filter = Filter::point;
    bool normalized = false;  ///< whether coordinates are from 0 to 1 instead of 0 to the size
    Texel border{};
    Kind kind = Kind::floats;

    /// The result of tex1D, tex2D or tex3D.
    [[nodiscard]] Texel at(float x, float y = 0, float z = 0) const {
        if (filter == Filter::point)
            return unblended(
                texel(axis(0).nearest(x).index[0], axis(1).nearest(y).index[0], axis(2).nearest(z).index[0]),
                kind);
        Blend blend(kind);
        add(blend, 1, x, y, z);
        return blend.result();
    }

    /// Adds to `blend` the texels that a fetch reads. The sum of their weights is `whole`.
    void add(Blend& blend, double whole, float x, float y = 0, float z = 0) const {
        blend.add(
            {axis(0).neighbours(x, filter), axis(1).neighbours(y, filter), axis(2).neighbours(z, filter)},
            whole, [this](int i, int j, int k) { return texel(i, j, k); });
    }

    /// The texel at an index in range, or the border if an index is -1.
    [[nodiscard]] const Texel& texel(int x, int y, int z) const {
        if (x < 0 || y < 0 || z < 0) return border;
        return texels[(static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) +
                       static_cast<std::size_t>(y)) *
                          static_cast<std::size_t>(size[0]) +
                      static_cast<std::size_t>(x)];
    }

    /// Returns the result of tex1Dfetch, which does not filter and returns 0 out of range.
    [[nodiscard]] Texel fetch(int index) const {
        return index < 0 || index >= size[0] ? Texel{} : texel(index, 0, 0);
    }

    /// The result of tex2Dgather: one component of the four texels that linear filtering would read. The
    /// filter mode does not matter. The order is counter-clockwise from the lower left if y points down (PTX,
    /// tld4).
    [[nodiscard]] Texel gather(float x, float y, std::size_t component) const {
        const auto [left, right] = axis(0).between(x).index;
        const auto [top, bottom] = axis(1).between(y).index;
        return as_gathered({texel(left, bottom, 0)[component], texel(right, bottom, 0)[component],
                            texel(right, top, 0)[component], texel(left, top, 0)[component]},
                           kind);
    }

    /// Returns the result of the guide's table lookup with linear filtering: x = 0 reads the first texel, and
    /// x = range reads the last texel.
    [[nodiscard]] Texel look_up(float x, float range) const {
        return at(static_cast<float>(size[0] - 1) / range * x + 0.5F);
    }

  private:
    [[nodiscard]] Axis axis(std::size_t d) const { return {size[d], address[d], normalized}; }
};

/// The result of tex1DLayered or tex2DLayered, which do not filter between layers.
inline Texel layered(const std::vector<TextureModel>& layers, int layer, float x, float y = 0) {
    return layers[layer_read(layer, static_cast<unsigned>(layers.size()))].at(x, y);
}

/// The result of texCubemap. The faces are in the order of cube_point() and have normalised coordinates. The
/// filter does not cross faces.
inline Texel cubemap(const std::array<TextureModel, 6>& faces, float x, float y, float z) {
    const CubePoint point = cube_point(x, y, z);
    return faces[static_cast<std::size_t>(point.face)].at(point.s, point.t);
}

/// The result of texCubemap with cudaTextureDesc::seamlessCubemap and linear filtering.
inline Texel seamless_cubemap(const std::array<TextureModel, 6>& faces, float x, float y, float z) {
    Blend blend(faces[0].kind);
    add_across_faces(blend, cube_point(x, y, z), faces[0].size[0], 1, [&faces](int face, int i, int j) {
        return faces[static_cast<std::size_t>(face)].texel(i, j, 0);
    });
    return blend.result();
}

/// A mipmapped texture with normalised coordinates. Each level is half as large as the previous level.
struct MipmapModel : LevelFilter {
    std::vector<TextureModel> levels;

    /// The result of tex1DLod, tex2DLod or tex3DLod.
    [[nodiscard]] Texel at(float level, float x, float y = 0, float z = 0) const {
        const Neighbours near = chosen(level, static_cast<int>(levels.size()));
        const auto model = [this](int index) -> const TextureModel& {
            return levels[static_cast<std::size_t>(index)];
        };
        if (near.second == 0) return model(near.index[0]).at(x, y, z);
        return blend_levels(near, Blend(levels.front().kind), [&](Blend& blend, int index, double weight) {
            model(index).add(blend, weight, x, y, z);
        });
    }
};

}  // namespace cudabook::texture_unit
