// The state of the window's view: how the texture is read, and which part of it is shown at which scale.
// Plain functions change it for a key, a drag or the wheel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/levels.hpp"
#include "common/window/geometry.hpp"
#include "common/window/input.hpp"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

/// A place in the texture, in texels of the first level with y pointing down; or in the picture, in pixels
/// from its lower left corner with y pointing up.
struct Place {
    double x = 0;
    double y = 0;
};

struct Look {
    Place centre;     ///< the place of the texture that the middle of the picture shows
    double zoom = 1;  ///< pixels per texel of the first level
    int angle = 0;    ///< degrees by which the texture is turned, anticlockwise, 0 to 359
    Filter filter = Filter::linear;
    std::array<Address, 2> address{Address::clamp, Address::clamp};
    bool normalized = true;
    float level = 0;  ///< the level of the mipmap that is read
    Filter level_filter = Filter::linear;
    bool grid = true;  ///< whether to draw the edges of the texels

    /// Returns which of the `count` mipmap levels are read. Mipmaps need normalised coordinates. Without
    /// normalised coordinates, the texture consists of the nearest level alone.
    [[nodiscard]] Neighbours levels_read(int count) const {
        LevelFilter levels;
        levels.filter = normalized ? level_filter : Filter::point;
        return levels.chosen(level, count);
    }
};

inline constexpr int turn_degrees = 15;
inline constexpr float level_step = 0.25F;
inline constexpr double least_zoom = 1.0 / 16;
inline constexpr double most_zoom = 512;

/// Returns the first look: the whole texture with its surroundings, in the middle of the part of the picture
/// that the panel leaves free. The texture is repeated, so that its surroundings are not empty.
inline Look first_look(Size texture, Size picture) {
    constexpr double right_of_the_middle = 0.21;  // as a share of the picture's width
    Look look;
    look.address = {Address::wrap, Address::mirror};
    look.zoom =
        std::clamp(std::min(0.42 * picture.width / texture.width, 0.55 * picture.height / texture.height),
                   least_zoom, most_zoom);
    look.centre = {texture.width / 2.0 - right_of_the_middle * picture.width / look.zoom,
                   texture.height / 2.0};
    return look;
}

namespace detail {

struct Turn {
    double cosine, sine;
};
inline Turn turn_of(const Look& look) {
    const double angle = look.angle * std::numbers::pi / 180;
    return {std::cos(angle), std::sin(angle)};
}

}  // namespace detail

/// Returns the place of the texture that is shown at a place of the picture.
inline Place texel_at(const Look& look, Size picture, Place pixel) {
    const auto [cosine, sine] = detail::turn_of(look);
    const double right = (pixel.x - picture.width / 2.0) / look.zoom;
    const double up = (pixel.y - picture.height / 2.0) / look.zoom;
    return {look.centre.x + cosine * right + sine * up, look.centre.y + sine * right - cosine * up};
}

/// Returns the place of the picture that shows a place of the texture.
inline Place pixel_at(const Look& look, Size picture, Place texel) {
    const auto [cosine, sine] = detail::turn_of(look);
    const double x = (texel.x - look.centre.x) * look.zoom;
    const double y = (texel.y - look.centre.y) * look.zoom;
    return {picture.width / 2.0 + cosine * x + sine * y, picture.height / 2.0 + sine * x - cosine * y};
}

/// Returns the centre of a pixel.
inline Place middle_of(Cell pixel) { return {pixel.x + 0.5, pixel.y + 0.5}; }

/// Returns the texture coordinates of the pixels' centres. `first` is the size of the first level, and `read`
/// is the size of the level that is read. Coordinates that are not normalised are in texels of the level that
/// is read.
inline View view_of(const Look& look, Size picture, Size first, Size read) {
    const auto [cosine, sine] = detail::turn_of(look);
    const Place origin = texel_at(look, picture, {0.5, 0.5});
    const double x = (look.normalized ? 1.0 : read.width) / first.width;
    const double y = (look.normalized ? 1.0 : read.height) / first.height;
    const auto coordinate = [](double at, double along_row, double down) {
        return Coordinate{static_cast<float>(at), static_cast<float>(along_row), static_cast<float>(down)};
    };
    return {coordinate(origin.x * x, cosine / look.zoom * x, sine / look.zoom * x),
            coordinate(origin.y * y, sine / look.zoom * y, -cosine / look.zoom * y),
            {}};
}

// ----- what the user changes

/// Returns the look with its centre moved by (x, y), but not so far that floats could not tell the texels
/// apart.
inline Look moved(Look look, double x, double y) {
    constexpr double far_away = 1 << 14;
    look.centre.x = std::clamp(look.centre.x + x, -far_away, far_away);
    look.centre.y = std::clamp(look.centre.y + y, -far_away, far_away);
    return look;
}

/// Returns the look after a drag. The texture moves with the mouse.
inline Look dragged(const Look& look, Size picture, Cell from, Cell to) {
    const Place before = texel_at(look, picture, middle_of(from));
    const Place after = texel_at(look, picture, middle_of(to));
    return moved(look, before.x - after.x, before.y - after.y);
}

/// Returns the look after zooming in, or out if `steps` is negative. Four steps double the scale. The pixel
/// `at` under the mouse keeps its place in the texture.
inline Look zoomed(Look look, Size picture, double steps, Cell at) {
    const Place before = texel_at(look, picture, middle_of(at));
    look.zoom = std::clamp(look.zoom * std::exp2(steps / 4), least_zoom, most_zoom);
    const Place after = texel_at(look, picture, middle_of(at));
    return moved(look, before.x - after.x, before.y - after.y);
}

/// Returns the look turned around the middle of the picture.
inline Look turned(Look look, int degrees) {
    look.angle = ((look.angle + degrees) % 360 + 360) % 360;
    return look;
}

/// Returns the next of the four address modes (by = 1) or the previous mode (by = -1).
inline Address next(Address address, int by) {
    constexpr std::array order{Address::clamp, Address::border, Address::wrap, Address::mirror};
    const auto at = std::ranges::find(order, address) - order.begin();
    return order[static_cast<std::size_t>(at + by + 4) % order.size()];
}

inline Filter other(Filter filter) { return filter == Filter::point ? Filter::linear : Filter::point; }

/// Returns the look after a key, for a texture with `levels` levels. A key without a meaning changes nothing.
inline Look after_key(Look look, Key key, int levels) {
    const int by = key.shift ? -1 : 1;
    switch (key.character) {
        case 'L':
            look.filter = other(look.filter);
            break;
        case 'X':
            look.address[0] = next(look.address[0], by);
            break;
        case 'Y':
            look.address[1] = next(look.address[1], by);
            break;
        case 'N':
            look.normalized = !look.normalized;
            break;
        case 'M':
            look.level = std::clamp(look.level + static_cast<float>(by) * level_step, 0.0F,
                                    static_cast<float>(levels - 1));
            break;
        case 'B':
            look.level_filter = other(look.level_filter);
            break;
        case 'T':
            return turned(look, by * turn_degrees);
        case 'G':
            look.grid = !look.grid;
            break;
        default:
            break;
    }
    return look;
}

}  // namespace cudabook::texture_unit
