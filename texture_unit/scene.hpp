// The scene of a lesson: a texture, how it is read, and where each pixel of the picture lies in it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/texels.hpp"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// The shape of a texture. Layers and the faces of a cube map are its depth.
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
    bool seamless = false;                 ///< a cube map whose faces are blended across their edges
    bool gather = false;                   ///< the kernel gathers
    Filter level_filter = Filter::linear;  ///< between the levels of a mipmap
    float bias = 0;                        ///< added to the level

    int width = 0;  ///< of the picture
    int height = 0;
    View view{};
    int slices = 1;              ///< number of pictures, a texel of a volume apart
    int tiles = 1;               ///< for layers: there are tiles × tiles squares, each with a layer
    std::vector<FloorRow> rows;  ///< for levels: one for each row of the picture
    std::vector<float> curve;    ///< for lookup: the entries of the table

    /// The texels of each level, x fastest, then y. Components are whole numbers from 0 to 255. Only
    /// TextureShape::levels has more than one level, each half as large as the previous. Empty if only the
    /// time matters.
    std::vector<std::vector<Texel>> levels;

    [[nodiscard]] int level_count() const {
        int count = 1;
        while (shape == TextureShape::levels && (size[0] >> count) > 0) ++count;
        return count;
    }
    /// For layers: the side of a square in pixels.
    [[nodiscard]] int tile() const { return (width + tiles - 1) / tiles; }
    /// For the table: entries per unit of the argument, which goes from 0 to 255.
    [[nodiscard]] float per_value() const { return static_cast<float>(curve.size() - 1) / 255; }
    [[nodiscard]] std::size_t pixels() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
               static_cast<std::size_t>(slices);
    }
};

/// A scene whose picture has size × size pixels.
inline Scene scene_of(int size, const View& view) {
    Scene scene;
    scene.width = scene.height = size;
    scene.view = view;
    return scene;
}

}  // namespace cudabook::texture_unit
