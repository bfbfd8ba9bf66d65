// Computes which texels a fetch reads: address modes, filters, and positions in 256ths of a texel. The source
// is the CUDA C++ Programming Guide, its chapter on texture memory and its appendix on texture fetching,
// unless another source is named.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cudabook::texture_unit {

/// What a fetch out of range reads: the texture repeated (wrap), the nearest texel of the edge (clamp), the
/// texture repeated with every second copy mirrored (mirror), or the border value (border).
enum class Address { wrap, clamp, mirror, border };
enum class Filter { point, linear };

/// Returns std::floor(x), for |x| < 2^63. In code for x86-64 without SSE 4.1, std::floor() is a function
/// call; this function is faster.
inline double floor_of(double x) {
    const auto towards_zero = static_cast<double>(static_cast<std::int64_t>(x));
    return towards_zero > x ? towards_zero - 1 : towards_zero;
}

/// Rounds a position in texels or a weight to the nearest multiple of 1/256, halves upwards. The texture unit
/// does this for linear filtering and for gathering. The guide's section on gathering names the multiple; how
/// halves are rounded was measured on an H200.
inline double in_256ths(double position) { return floor_of(position * 256 + 0.5) / 256; }

/// The two texels that a fetch reads along one dimension.
struct Neighbours {
    std::array<int, 2> index{};  ///< the indices of the texels; -1 for the border
    double second = 0;  ///< the weight of the second texel, a multiple of 1/256; the first texel has the rest
};

/// A dimension of a texture.
struct Axis {
    int size = 1;
    Address address = Address::clamp;
    bool normalized = false;

    /// Returns the texel that contains x (point filtering): both indices are the same.
    [[nodiscard]] Neighbours nearest(float x) const {
        const int index = resolved(floor_of(position(x)));
        return {{index, index}};
    }

    /// Returns the two texels whose centres, at index + 0.5, are on either side of the position (linear
    /// filtering). If the position is clamped to an edge, both indices are the same, and the first index has
    /// all the weight (measured on an H200, where the rounding of the weights in volumes shows it).
    [[nodiscard]] Neighbours between(float x) const {
        const double from_centre = in_256ths(position(x) - 0.5);
        const double first = floor_of(from_centre);
        const bool beside = clamped() && (first < 0 || first >= size - 1);
        return {{resolved(first), resolved(first + 1)}, beside ? 0 : from_centre - first};
    }

    /// Returns the two texels for linear filtering that continues beyond the edges, as across the faces of a
    /// cube map. A texel beyond an edge has the index -1 or `size`.
    [[nodiscard]] Neighbours around(float x) const {
        const double from_centre = in_256ths(position(x) - 0.5);
        const double first = floor_of(from_centre);
        const auto index = static_cast<int>(std::clamp<double>(first, -1, size - 1));
        return {{index, index + 1}, from_centre - first};
    }

    [[nodiscard]] Neighbours neighbours(float x, Filter filter) const {
        return filter == Filter::linear ? between(x) : nearest(x);
    }

    /// Returns the position, in texels, of coordinate x. A normalised x is first rounded down to a multiple
    /// of 2^-21, or of 2^-22 if there are more than 16384 texels (more than 32768 were not measured). NaN and
    /// subnormal numbers become 0. If the texture repeats (normalised coordinates with wrap or mirror),
    /// infinity and every |x| from 2^24 on become 0, because such numbers have no fraction. Otherwise,
    /// infinity becomes a position beyond all texels (all measured on an H200).
    [[nodiscard]] double position(float x) const {
        if (!(std::fabs(x) >= std::numeric_limits<float>::min())) return 0;
        constexpr float all_even = 0x1p24F;
        if (normalized && (address == Address::wrap || address == Address::mirror) &&
            std::fabs(x) >= all_even)
            return 0;
        const double far_away = normalized ? 0x1p25 : 0x1p40;  // beyond all texels
        const double exact = std::clamp<double>(x, -far_away, far_away);
        return normalized ? floor_of(exact * steps()) * (1 / steps()) * size : exact;
    }

    /// Returns whether positions out of range are clamped. CUDA replaces wrap and mirror by clamp if
    /// coordinates are not normalised (cudaCreateTextureObject's reference).
    [[nodiscard]] bool clamped() const {
        return address == Address::clamp || (address != Address::border && !normalized);
    }

    /// Returns the index of the texel that a fetch reads for `index`, or -1 for the border. `index` may be
    /// out of range. In mirror mode, the guide mirrors the coordinate, but the texture unit mirrors the
    /// index. The results differ only exactly on the edges of texels (measured on an H200).
    [[nodiscard]] int resolved(double index) const {
        if (index >= 0 && index < size) return static_cast<int>(index);
        if (clamped()) return index < 0 ? 0 : size - 1;
        if (address == Address::border) return -1;
        if (address == Address::wrap) return static_cast<int>(modulo(index, size));
        const double there_and_back = modulo(index, 2.0 * size);
        return static_cast<int>(std::min(there_and_back, 2.0 * size - 1 - there_and_back));
    }

  private:
    /// Returns `index` modulo `divisor`, at least 0. Both must be integers, and `divisor` must be positive.
    static double modulo(double index, double divisor) {
        const std::int64_t rest = static_cast<std::int64_t>(index) % static_cast<std::int64_t>(divisor);
        return static_cast<double>(rest) + (rest < 0 ? divisor : 0);
    }

    [[nodiscard]] double steps() const { return size > 16384 ? 0x1p22 : 0x1p21; }
};

/// Returns the layer that a fetch reads. An index below 0 or beyond the last layer reads the last layer
/// (measured on an H200; the guide does not say).
inline unsigned layer_read(int layer, unsigned layers) {
    return std::min(static_cast<unsigned>(layer), layers - 1);
}

}  // namespace cudabook::texture_unit
