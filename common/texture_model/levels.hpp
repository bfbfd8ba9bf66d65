// Mipmaps: the levels that a fetch reads, and how they are blended.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/texture_model/addressing.hpp"
#include "common/texture_model/blending.hpp"
#include "common/texture_model/texels.hpp"

namespace cudabook::texture_unit {

struct LevelFilter {
    Filter filter = Filter::point;  ///< the filter between levels
    float bias = 0;                 ///< added to the level
    float least = 0;  ///< the level is clamped to `least` and `most`, then to the existing levels
    float most = std::numeric_limits<float>::max();

    /// Returns the levels that a fetch reads from a mipmap of `count` levels. Point filtering reads the
    /// nearest level, halves upwards. Linear filtering reads the two levels around `level`. The guide only
    /// names the fields of this struct; the following was measured on an H200. `level` and `bias` are
    /// truncated to multiples of 1/256. A level that is NaN counts as 0. If `least` is NaN, the last level is
    /// read.
    [[nodiscard]] Neighbours chosen(float level, int count) const {
        if (std::isnan(least)) return {{count - 1, count - 1}};
        const auto cut = [](float value) { return std::isnan(value) ? 0 : std::trunc(value * 256) / 256; };
        const float biased = cut(level) + cut(bias);
        // std::max returns its first argument if the second is NaN.
        const float clamped = std::min(std::max(least, most), std::max(least, biased));
        const double lod = std::min<double>(count - 1, std::max<double>(0, clamped));
        if (filter == Filter::point) {
            const int nearest = static_cast<int>(std::floor(lod + 0.5));
            return {{nearest, nearest}};
        }
        const double rounded = in_256ths(lod);
        const int first = static_cast<int>(rounded);
        return {{first, std::min(first + 1, count - 1)}, rounded - first};
    }
};

/// Blends the levels with the indices in `near`. `blend` must be empty. add(blend, level, weight) adds one
/// level. The weight of a level is split among the texels of the level and rounded as in weights(). No
/// rounding takes place between the levels (measured on an H200).
template <class Add>
Texel blend_levels(const Neighbours& near, Blend blend, Add add) {
    add(blend, near.index[0], 1 - near.second);
    if (near.second != 0) add(blend, near.index[1], near.second);
    return blend.result();
}

}  // namespace cudabook::texture_unit
