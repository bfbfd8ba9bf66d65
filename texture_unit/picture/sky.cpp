// The faces of the sky. Each texel is the mean of 4 x 4 directions, so that neighbours on two faces fit
// together as well as neighbours on one face.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/picture/font.hpp"
#include "texture_unit/picture/paint.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit {

namespace {

struct Colour {
    double red = 0, green = 0, blue = 0;
};

Colour mix(const Colour& a, const Colour& b, double share) {
    return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
            a.blue + (b.blue - a.blue) * share};
}

/// Returns 0 if `value` is below `low`, 1 if it is above `high`, and a smooth transition in between.
double smooth(double low, double high, double value) {
    const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// A pseudorandom value from 0 to 1 for each pair of whole numbers.
double hashed(std::int64_t x, std::int64_t y) {
    auto bits = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15U ^
                static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fU;
    bits = (bits ^ bits >> 31U) * 0xff51afd7ed558ccdU;
    bits = (bits ^ bits >> 29U) * 0xc4ceb9fe1a85ec53U;
    return static_cast<double>(bits >> 40U) / 0x1p24;
}

/// Hashed values at whole numbers, interpolated smoothly.
double noise(double x, double y) {
    const double left = std::floor(x);
    const double top = std::floor(y);
    const auto i = static_cast<std::int64_t>(left);
    const auto j = static_cast<std::int64_t>(top);
    const double across = smooth(0, 1, x - left);
    const double above = hashed(i, j) + (hashed(i + 1, j) - hashed(i, j)) * across;
    const double below = hashed(i, j + 1) + (hashed(i + 1, j + 1) - hashed(i, j + 1)) * across;
    return above + (below - above) * smooth(0, 1, y - top);
}

constexpr Colour haze{214, 226, 236};

/// The colour above the horizon; (x, y, z) has length 1.
Colour heaven(double x, double y, double z) {
    constexpr std::array<double, 3> sun{0.48, 0.36, 0.8};
    Colour colour = mix(haze, {28, 84, 176}, std::sqrt(y) * smooth(0, 0.9, y + 0.25));
    const double towards = x * sun[0] + y * sun[1] + z * sun[2];
    const double glow = std::max(0.0, towards);
    const double glow_4 = glow * glow * glow * glow;
    colour = mix(colour, {255, 244, 214}, 0.6 * glow_4 * glow_4 * glow_4);
    colour = mix(colour, {255, 252, 232}, smooth(0.990, 0.993, towards));
    // The clouds lie in a plane above the observer.
    const double away = 1 / (y + 0.06);
    const double u = 1.7 * x * away;
    const double v = 1.7 * z * away;
    const double cover =
        0.55 * noise(u + 9, v + 4) + 0.28 * noise(2.1 * u, 2.1 * v) + 0.17 * noise(4.3 * u + 5, 4.3 * v);
    return mix(colour, {255, 255, 255}, 0.85 * smooth(0.52, 0.78, cover) * smooth(0, 0.22, y));
}

/// The colour below the horizon.
Colour ground(double x, double y, double z) {
    const double u = 3 * x / -y;
    const double v = 3 * z / -y;
    const double to_line = std::min(std::fabs(u - std::floor(u + 0.5)), std::fabs(v - std::floor(v + 0.5)));
    const bool odd =
        (static_cast<std::int64_t>(std::floor(u)) + static_cast<std::int64_t>(std::floor(v))) % 2 != 0;
    Colour colour = odd ? Colour{86, 112, 62} : Colour{104, 130, 74};
    if (to_line < 0.05) colour = {206, 196, 150};
    return mix(haze, colour, smooth(0.02, 0.32, -y));
}

/// The direction from the middle of a cube to the point (s, t), from -1 to 1, of a face: the inverse of
/// cube_point().
std::array<double, 3> direction(int face, double s, double t) {
    const std::array<std::array<double, 3>, 6> directions{
        {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}}};
    return directions[static_cast<std::size_t>(face)];
}

Colour seen(int face, double s, double t) {
    const auto [x, y, z] = direction(face, s, t);
    const double length = std::sqrt(x * x + y * y + z * z);
    // On the ground the horizon itself would be infinitely far away.
    return y >= 0 ? heaven(x / length, y / length, z / length)
                  : ground(x / length, std::min(y / length, -1e-6), z / length);
}

}  // namespace

Image sky(int face, int size) {
    constexpr int samples = 4;  // the samples of a texel in each direction
    Image image{size, size, {}};
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            Colour sum;
            for (int j = 0; j < samples; ++j)
                for (int i = 0; i < samples; ++i) {
                    const auto along = [size](int texel, int sample) {
                        return (2.0 * (texel * samples + sample) + 1) / (size * samples) - 1;
                    };
                    const Colour colour = seen(face, along(x, i), along(y, j));
                    sum = {sum.red + colour.red, sum.green + colour.green, sum.blue + colour.blue};
                }
            const auto mean = [](double component) {
                return static_cast<float>(std::floor(component / (samples * samples) + 0.5));
            };
            image.texels.push_back({mean(sum.red), mean(sum.green), mean(sum.blue), 255});
        }

    constexpr std::array<std::string_view, 6> names{"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    const std::string_view name = names[static_cast<std::size_t>(face)];
    const int scale = std::max(1, size / 48);
    const int left = (size - text_width(name, scale)) / 2;
    const int top = (size - glyph_height * scale) / 2;
    if (left > 1 && top > 1) draw_text(image, left, top, name, {196, 32, 48, 255}, scale);
    return image;
}

}  // namespace cudabook::texture_unit
