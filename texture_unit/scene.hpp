// The scene of a lesson: a texture, how it is read, and where each pixel of the picture lies in it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/texels.hpp"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// The shape of a texture. In Scene::size, the depth of `layers` is the number of layers, and the depth of
/// `cube` is the number of faces.
enum class TextureShape { line, plane, volume, layers, cube, levels };

/// How a component is stored and read: as a float; or as an unsigned char that is read as a whole number, as
/// a fraction from 0 to 1, or as a fraction encoded as sRGB.
enum class Store { floats, integers, fractions, srgb };

struct Scene {
    TextureShape shape = TextureShape::plane;
    Store store = Store::floats;
    std::array<int, 3> size{1, 1, 1};  ///< width, height and depth in texels
    std::array<Address, 3> address{Address::clamp, Address::clamp, Address::clamp};
    Filter filter = Filter::linear;
    bool normalized = false;
    bool seamless = false;                 ///< whether the faces of a cube map are blended across their edges
    bool gather = false;                   ///< whether the kernel gathers (kernels/8_gather.cuh)
    Filter level_filter = Filter::linear;  ///< the filter between the levels of a mipmap
    float bias = 0;                        ///< added to the level of a fetch

    int width = 0;  ///< the size of the picture in pixels
    int height = 0;
    View view{};
    int slices = 1;              ///< the number of pictures, one texel of a volume apart
    int tiles = 1;               ///< for layers: tiles × tiles squares, each with a layer
    std::vector<FloorRow> rows;  ///< for levels: a FloorRow for each row of the picture
    std::vector<float> curve;    ///< for lookup: the entries of the table

    /// The texels of each level, x fastest, then y. Components are whole numbers from 0 to 255. Only
    /// TextureShape::levels has more than one level; each level is half as large as the previous level. The
    /// vector is empty if only the time of the kernel matters.
    std::vector<std::vector<Texel>> levels;

    [[nodiscard]] int level_count() const {
        int count = 1;
        while (shape == TextureShape::levels && (size[0] >> count) > 0) ++count;
        return count;
    }
    /// For layers: returns the side of a square in pixels.
    [[nodiscard]] int tile() const { return (width + tiles - 1) / tiles; }
    /// For lookup: returns the number of table entries per unit of the argument. The argument is 0 to 255.
    [[nodiscard]] float per_value() const { return static_cast<float>(curve.size() - 1) / 255; }
    [[nodiscard]] std::size_t pixels() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
               static_cast<std::size_t>(slices);
    }
};

/// Returns a scene whose picture has size × size pixels.
inline Scene scene_of(int size, const View& view) {
    Scene scene;
    scene.width = scene.height = size;
    scene.view = view;
    return scene;
}

}  // namespace cudabook::texture_unit
