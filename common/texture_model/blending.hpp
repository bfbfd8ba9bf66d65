// Linear filtering: the weights of the texels around a point, and their weighted sum. The rules were measured
// on an H200.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/texels.hpp"

namespace cudabook::texture_unit {

/// Rounds a weight, which must not be negative, as in_256ths() does.
inline double rounded_weight(double weight) {
    const double half_up = weight * 256 + 0.5;
    return static_cast<int>(half_up) / 256.0;
}

/// Returns the weights of the eight texels around a point: x runs fastest, then y. All weights are multiples
/// of 1/256. `second`: the weight of the second texel along each dimension. `whole`: the sum of the eight
/// weights, less than 1 if another mipmap level has the rest. The texture unit splits `whole` along z, then
/// each part along x, then each of these parts along y. In each split, one part is rounded to a multiple of
/// 1/256, and the other part gets the rest. Along z, the first part is rounded; along x, the right part.
/// Along y, the upper part is rounded on the left and the lower part on the right.
inline std::array<double, 8> weights(const std::array<double, 3>& second, double whole = 1) {
    std::array<double, 8> all{};
    const double nearer = rounded_weight(whole * (1 - second[2]));
    for (std::size_t z = 0; z < 2; ++z) {
        const double of_z = z == 0 ? nearer : whole - nearer;
        if (of_z == 0) continue;
        const double right = rounded_weight(of_z * second[0]);
        const double left = of_z - right;
        const double left_above = rounded_weight(left * (1 - second[1]));
        const double right_below = rounded_weight(right * second[1]);
        all[4 * z] = left_above;
        all[4 * z + 1] = right - right_below;
        all[4 * z + 2] = left - left_above;
        all[4 * z + 3] = right_below;
    }
    return all;
}

namespace detail {

/// Converts a fraction to a number of steps of 1 / `steps`, rounded to the nearest integer, halves away from
/// 0.
inline int in_steps(float value, int steps) {
    const float number = value * static_cast<float>(steps);
    return static_cast<int>(number + std::copysign(0.5F, number));
}

/// Converts a sum in units of 1 / (256 * 127) to a sum in units of 1 / (256 * 32767), as the texture unit
/// does for signed bytes. The result is a multiple of 1/32767.
inline int widened(int sum) { return (sum + ((sum + (sum >> 12) * 16 + 64) >> 7)) * 256; }

/// Converts a sum in units of 1 / (256 * steps) to a fraction. The sum is rounded to a multiple of 1 / steps,
/// halves upwards, and a result below -1 becomes -1.
inline float fraction(int sum, int steps) {
    return static_cast<float>(std::max((sum + 128) >> 8, -steps) / static_cast<double>(steps));
}

}  // namespace detail

/// Returns the result of a gather. `four` is one component of the four texels. Signed bytes are rounded to
/// multiples of 1/32767, as in blending (measured on an H200). All other kinds are as in a fetch without a
/// filter.
inline Texel as_gathered(Texel four, Kind kind) {
    if (kind == Kind::signed_bytes)
        for (float& value : four)
            value = detail::fraction(detail::widened(256 * detail::in_steps(value, 127)), 32767);
    return unblended(four, kind);
}

/// A weighted sum of texels, rounded as the texture unit rounds it. For each of a million fetches, this model
/// and an H200 gave the same sum, except for the cases that sum_of_floats() describes.
class Blend {
  public:
    /// Creates an empty sum of texels with `components` components.
    explicit Blend(Kind kind, std::size_t components = 4) : kind_(kind), components_(components) {}

    /// Adds four texels. Corners 0 to 3 are numbered as in weights(): x runs fastest. texel_of(corner)
    /// returns one texel. `second`: as for weights(). Along a dimension where `second` is 0, only the first
    /// texels are read. A texel whose weight was rounded to 0 is still read, so that a NaN in the texel
    /// counts.
    template <class TexelOf>
    void add_four(std::span<const double, 4> weights, const std::array<double, 2>& second, TexelOf texel_of) {
        Four& four = fours_[count_++];
        four.count = 0;
        for (std::size_t corner = 0; corner < 4; ++corner)
            if (((corner & 1U) == 0 || second[0] != 0) && (corner < 2 || second[1] != 0))
                four.parts[four.count++] = {static_cast<int>(weights[corner] * 256), texel_of(corner)};
    }

    /// Adds the texels with the indices in `near`. The sum of their weights is `whole`. texel_at(x, y, z)
    /// returns one texel; an index of -1 is the border.
    template <class TexelAt>
    void add(const std::array<Neighbours, 3>& near, double whole, TexelAt texel_at) {
        const std::array<double, 8> all = weights({near[0].second, near[1].second, near[2].second}, whole);
        const std::span<const double, 8> slices(all);
        const auto add_slice = [&](std::span<const double, 4> slice, int z) {
            add_four(slice, {near[0].second, near[1].second}, [&](std::size_t corner) {
                return texel_at(near[0].index[corner & 1U], near[1].index[corner >> 1U], z);
            });
        };
        add_slice(slices.first<4>(), near[2].index[0]);
        if (near[2].second != 0) add_slice(slices.last<4>(), near[2].index[1]);
    }

    [[nodiscard]] Texel result() const {
        Texel result{};
        for (std::size_t c = 0; c < components_; ++c) {
            switch (kind_ == Kind::srgb && c == 3 ? Kind::unsigned_fractions : kind_) {
                case Kind::unsigned_fractions:
                    result[c] = detail::fraction(sum_of_steps(c, 65535), 65535);
                    break;
                case Kind::signed_words:
                    result[c] = detail::fraction(sum_of_steps(c, 32767), 32767);
                    break;
                case Kind::signed_bytes:
                    result[c] = detail::fraction(detail::widened(sum_of_steps(c, 127)), 32767);
                    break;
                default:
                    result[c] = sum_of_floats(c);
            }
        }
        return result;
    }

  private:
    struct Part {
        int weight;  ///< in units of 1/256
        Texel texel;
    };
    /// The texels of one add_four(), at most four, with their weights.
    struct Four {
        std::size_t count;
        std::array<Part, 4> parts;

        [[nodiscard]] const Part* begin() const { return parts.data(); }
        [[nodiscard]] const Part* end() const { return parts.data() + count; }
    };
    [[nodiscard]] std::span<const Four> fours() const { return std::span(fours_).first(count_); }

    /// Returns the weighted sum of component `c` of all texels, in units of 1 / (256 * steps).
    [[nodiscard]] int sum_of_steps(std::size_t c, int steps) const {
        int sum = 0;
        for (const Four& four : fours())
            for (const auto& [weight, texel] : four) sum += weight * detail::in_steps(texel[c], steps);
        return sum;
    }

    /// A number: units · 2^exponent.
    struct Fixed {
        std::int64_t units = 0;
        int exponent = 0;
    };

    /// Returns the weighted sum of component `c` of all texels, rounded to the precision of a float or a
    /// half, halves away from 0. The sum of each group of four texels is exact, except that each texel is
    /// first truncated (see step_below()). When two of these sums are added, the last bits of the smaller sum
    /// are cut off. The texture unit cuts off as many bits as this model, or one bit more.
    [[nodiscard]] float sum_of_floats(std::size_t c) const {
        Fixed sum;
        for (const Four& four : fours()) {
            std::uint32_t largest = 0;
            for (const auto& [weight, texel] : four) {
                const std::uint32_t magnitude = magnitude_of(texel[c]);
                if (magnitude >= infinite) return not_finite(c);
                if (weight != 0) largest = std::max(largest, magnitude);
            }
            if (largest == 0) continue;
            const Fixed next = sum_of_four(four, c, step_below(std::bit_cast<float>(largest)));
            if (sum.units == 0) {
                sum = next;
                continue;
            }
            const int exponent = std::max(sum.exponent, next.exponent);
            const auto shifted = [exponent](const Fixed& fixed) {
                return fixed.units >> std::min(exponent - fixed.exponent, 63);
            };
            sum = {shifted(sum) + shifted(next), exponent};
        }
        const auto magnitude = static_cast<std::uint64_t>(std::abs(sum.units));
        const int significant = kind_ == Kind::floats ? 24 : 11;
        const int least = kind_ == Kind::floats ? -149 : -24;
        const int cut =
            std::max(static_cast<int>(std::bit_width(magnitude)) - significant, least - sum.exponent);
        std::uint64_t rounded = magnitude;
        if (cut > 0) rounded = (magnitude + (std::uint64_t{1} << (cut - 1))) >> cut << cut;
        const auto value = static_cast<float>(static_cast<double>(rounded) * power_of_2(sum.exponent));
        const auto result = std::bit_cast<float>(magnitude_of(value));
        return sum.units < 0 || (sum.units == 0 && all_negative(c)) ? -result : result;
    }

    [[nodiscard]] bool all_negative(std::size_t c) const {
        for (const Four& four : fours())
            for (const Part& part : four)
                if (!std::signbit(part.texel[c])) return false;
        return true;
    }

    static constexpr std::uint32_t infinite = 0x7f800000;

    /// Returns the bits of |value|. A subnormal texel of a texture of floats counts as 0.
    [[nodiscard]] std::uint32_t magnitude_of(float value) const {
        constexpr std::uint32_t normal = 0x00800000;
        const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffU;
        return kind_ == Kind::floats && magnitude < normal ? 0 : magnitude;
    }

    /// Returns the weighted sum of component `c` of four texels. Each component is first truncated to a
    /// multiple of 2^step. The sum ends in two guard bits, which are 0.
    [[nodiscard]] Fixed sum_of_four(const Four& four, std::size_t c, int step) const {
        std::int64_t sum = 0;
        const double steps = power_of_2(-step);
        for (const auto& [weight, texel] : four)
            if (magnitude_of(texel[c]) != 0)
                sum += weight * static_cast<std::int64_t>(static_cast<double>(texel[c]) * steps);
        return {sum * 4, step - 10};
    }

    /// Returns the `step` for sum_of_four(): components are truncated to multiples of 2^step. `largest`: the
    /// largest magnitude among the components.
    [[nodiscard]] int step_below(float largest) const {
        const int exponent = static_cast<int>(std::bit_cast<std::uint32_t>(largest) >> 23U) - 127;
        if (kind_ == Kind::floats) return std::max(exponent, -126) - 27;
        if (kind_ == Kind::halves) return std::max(exponent, -14) - 14;
        static const std::array<float, 256> srgb = [] {
            std::array<float, 256> values{};
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = from_srgb(static_cast<std::uint8_t>(i));
            return values;
        }();
        const auto code = std::upper_bound(srgb.begin(), srgb.end(), largest) - srgb.begin() - 1;
        return std::ilogb(srgb_step(static_cast<std::uint8_t>(code)));
    }

    [[nodiscard]] float not_finite(std::size_t c) const {
        float sum = 0;
        for (const Four& four : fours())
            for (const Part& part : four) sum += part.texel[c];
        if (std::isinf(sum)) return sum;
        return std::bit_cast<float>(kind_ == Kind::floats ? 0x7fffffffU : 0x7fffe000U);
    }

    static double power_of_2(int exponent) {
        return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
    }

    Kind kind_;
    std::size_t components_;
    std::size_t count_ = 0;
    std::array<Four, 4> fours_;  ///< one for each of two slices of each of two mipmap levels
};

}  // namespace cudabook::texture_unit
