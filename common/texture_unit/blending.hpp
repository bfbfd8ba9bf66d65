// Linear filtering: the weights of the texels around a point, and their sum. Measured on an H200.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "common/texture_unit/addressing.hpp"
#include "common/texture_unit/texels.hpp"

namespace cudabook::texture_unit {

/// The weights, multiples of 1/256, of the eight texels around a point: x runs fastest, then y. `second`: the
/// weight of the second texel along each dimension. The whole is split along z, each part along x, and each
/// of these along y; the part on the right is rounded to 1/256, as is what is above it on the left or below
/// it on the right, and the other part gets the rest. `whole`: the sum of the weights, less than 1 if another
/// level of a mipmap has the rest.
inline std::array<double, 8> weights(const std::array<double, 3>& second, double whole = 1) {
    const auto rounded = [](double weight) {  // as in_256ths(), of what is not negative
        const double half_up = weight * 256 + 0.5;
        return static_cast<int>(half_up) / 256.0;
    };
    std::array<double, 8> all{};
    const double deeper = rounded(whole * second[2]);
    for (std::size_t z = 0; z < 2; ++z) {
        const double of_z = z == 1 ? deeper : whole - deeper;
        if (of_z == 0) continue;
        const double right = rounded(of_z * second[0]);
        const double left = of_z - right;
        const double left_above = rounded(left * (1 - second[1]));
        const double right_below = rounded(right * second[1]);
        all[4 * z] = left_above;
        all[4 * z + 1] = right - right_below;
        all[4 * z + 2] = left - left_above;
        all[4 * z + 3] = right_below;
    }
    return all;
}

/// A weighted sum of texels. `steps`: from 0 to 1 when normalised integers are blended, 65535 for unsigned
/// char and unsigned short, 32767 for char and short: they are blended in whole steps, and the blend is
/// rounded to a step, halves upwards (each of 660000 fetches). 0: the texels are floats.
class Blend {
  public:
    explicit Blend(int steps) : steps_(steps) {}

    /// Adds the texels of `near`, whose weights sum to `whole`; texel_at(x, y, z) gives one, -1 being the
    /// border.
    template <class TexelAt>
    void add(const std::array<Neighbours, 3>& near, double whole, TexelAt texel_at) {
        const std::array<double, 8> weight = weights({near[0].second, near[1].second, near[2].second}, whole);
        for (std::size_t corner = 0; corner < 8; ++corner) {
            if (weight[corner] == 0) continue;
            const Texel texel = texel_at(near[0].index[corner & 1U], near[1].index[corner >> 1U & 1U],
                                         near[2].index[corner >> 2U]);
            for (std::size_t c = 0; c < 4; ++c) {
                const auto value = static_cast<double>(texel[c]);
                sum_[c] += weight[corner] * (steps_ == 0 ? value : std::round(value * steps_));
            }
        }
    }

    [[nodiscard]] Texel result() const {
        Texel result{};
        for (std::size_t c = 0; c < 4; ++c)
            result[c] = static_cast<float>(steps_ == 0 ? sum_[c] : std::floor(sum_[c] + 0.5) / steps_);
        return result;
    }

  private:
    int steps_;
    std::array<double, 4> sum_{};
};

}  // namespace cudabook::texture_unit
