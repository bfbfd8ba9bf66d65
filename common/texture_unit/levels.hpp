// Mipmaps: which levels a fetch reads, and what it makes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/texture_unit/addressing.hpp"
#include "common/texture_unit/texels.hpp"

namespace cudabook::texture_unit {

struct LevelFilter {
    Filter filter = Filter::point;  ///< between levels
    float bias = 0;                 ///< added to the level
    float least = 0;                ///< the level is clamped to least and most, then to the existing levels
    float most = std::numeric_limits<float>::max();

    /// The levels read, of `count`: the nearest one, halves upwards, or the two around `level`. The guide
    /// only names the fields; that the level is truncated to a multiple of 1/256 was measured on an H200. NaN
    /// is the lowest level.
    [[nodiscard]] Neighbours chosen(float level, int count) const {
        const float cut = std::trunc(level * 256) / 256;
        // std::max and std::min give their first argument where the other one is NaN.
        const float clamped = std::min(std::max(least, most), std::max(least, cut + bias));
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

/// The blend of the levels of `near`; texel_of(level) gives the texel fetched from one.
template <class TexelOf>
Texel blend_levels(const Neighbours& near, TexelOf texel_of) {
    const Texel a = texel_of(near.index[0]);
    if (near.second == 0) return a;
    const Texel b = texel_of(near.index[1]);
    Texel blend{};
    for (std::size_t c = 0; c < 4; ++c)
        blend[c] = static_cast<float>((1 - near.second) * static_cast<double>(a[c]) +
                                      near.second * static_cast<double>(b[c]));
    return blend;
}

}  // namespace cudabook::texture_unit
