// The orders in which an array's elements are read: permutations of their numbers, for the host and the
// device. Each takes few operations, so that mainly memory is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "common/cuda/host_device.hpp"

namespace cudabook::access_patterns {

/// An array of 2^width_bits × 2^height_bits elements in row-major order, at most 2^28 of them.
struct ArrayShape {
    unsigned width_bits;
    unsigned height_bits;

    [[nodiscard]] unsigned bits() const { return width_bits + height_bits; }
    [[nodiscard]] std::uint32_t width() const { return 1U << width_bits; }
    [[nodiscard]] std::uint32_t height() const { return 1U << height_bits; }
    [[nodiscard]] std::uint32_t elements() const { return 1U << bits(); }
};

/// The shape of `bytes` bytes; both sizes are powers of two. The array is as wide as high, or twice as wide.
ArrayShape shape_of(std::size_t bytes, std::size_t element_bytes);

/// A permutation that swaps two neighbouring fields of an index's bits. It can make rows, columns, tiles and
/// strides.
class Fields {
  public:
    /// p(a ^ b) = p(a) ^ p(b), so a part of the index that is known beforehand can be permuted beforehand.
    static constexpr bool permutes_bits = true;

    /// In an index of `bits` bits, the lowest `kept` bits stay; the next `first` bits are swapped with the
    /// `second` bits above them; the remaining bits stay. Bits beyond `bits` are dropped.
    Fields(unsigned bits, unsigned kept, unsigned first, unsigned second)
        : stays_(mask(bits) & ~(mask(first + second) << kept)),
          first_(mask(first) << kept),
          second_(mask(second) << kept),
          up_(second),
          down_(first) {}

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        return (i & stays_) | (i & first_) << up_ | (i >> down_ & second_);
    }

  private:
    static std::uint32_t mask(unsigned bits) { return (1U << bits) - 1; }

    std::uint32_t stays_;
    std::uint32_t first_;
    std::uint32_t second_;  ///< the destination of the second field
    unsigned up_;
    unsigned down_;
};

/// Morton's curve, which fills the plane in ever larger squares: the bits of the index are alternately bits
/// of x and y.
class Morton {
  public:
    static constexpr bool permutes_bits = true;

    explicit Morton(ArrayShape shape) : width_bits_(shape.width_bits) {}

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        return every_other_bit(i) | every_other_bit(i >> 1) << width_bits_;
    }

  private:
    /// Bits 0, 2, 4, ... of i, moved together.
    CUDABOOK_HOST_DEVICE static std::uint32_t every_other_bit(std::uint32_t i) {
        i &= 0x55555555U;
        i = (i | i >> 1) & 0x33333333U;
        i = (i | i >> 2) & 0x0f0f0f0fU;
        i = (i | i >> 4) & 0x00ff00ffU;
        return (i | i >> 8) & 0x0000ffffU;
    }

    unsigned width_bits_;
};

/// Parallel lines at an angle: the plane is turned by three shears (after quarter turns). Each shear moves
/// whole rows or columns by whole elements and wraps at the edge, so every element is read once. Source: A.
/// W. Paeth, "A Fast Algorithm for General Raster Rotation", 1986.
class Rotated {
  public:
    static constexpr bool permutes_bits = false;

    /// At 0 degrees the lines are the rows, left to right; at 90 the columns, downwards.
    Rotated(ArrayShape shape, double degrees);

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        const std::uint32_t start = lines_(i) ^ flips_;
        std::uint32_t x = start & x_mask_;
        std::uint32_t y = start >> width_bits_;
        x = (x - part(tangent_, y)) & x_mask_;
        y = (y + part(sine_, x)) & y_mask_;
        x = (x - part(tangent_, y)) & x_mask_;
        return y << width_bits_ | x;
    }

  private:
    /// factor · 2^-16 · position, rounded down.
    CUDABOOK_HOST_DEVICE static std::uint32_t part(std::int32_t factor, std::uint32_t position) {
        return static_cast<std::uint32_t>(factor * static_cast<std::int32_t>(position) >> 16);
    }

    Fields lines_;             ///< rows or columns
    std::uint32_t flips_ = 0;  ///< the bits of x, y or both, if they run backwards
    unsigned width_bits_;
    std::uint32_t x_mask_;
    std::uint32_t y_mask_;
    std::int32_t tangent_;  ///< of half the angle, in units of 2^-16
    std::int32_t sine_;     ///< of the angle, in units of 2^-16
};

/// A pseudorandom permutation: invertible steps scatter the lowest bits of the index, then fields are
/// swapped. With all bits the order is random; with the bits of a tile it is random within each tile.
class Mixed {
  public:
    static constexpr bool permutes_bits = false;

    Mixed(unsigned bits, Fields then)
        : mask_((1U << bits) - 1), half_(bits < 2 ? 1 : bits / 2), then_(then) {}

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        std::uint32_t mixed = i & mask_;
        mixed = mixed * 0x9e3779b1U & mask_;  // multiplying by an odd number is a permutation mod 2^bits
        mixed ^= mixed >> half_;
        mixed = mixed * 0x85ebca6bU & mask_;
        mixed ^= mixed >> half_;
        mixed = mixed * 0xc2b2ae35U & mask_;
        mixed ^= mixed >> half_;
        return then_((i & ~mask_) | mixed);
    }

  private:
    std::uint32_t mask_;
    unsigned half_;
    Fields then_;
};

/// Maps i to the element, in row-major order, that is read as number i. Neighbouring threads have
/// neighbouring i.
using Pattern = std::variant<Fields, Morton, Rotated, Mixed>;

/// When a pattern returns to an element's neighbours. soon: soon to all neighbours. by_rows: soon to
/// neighbours in the next row, but to neighbours in the same row only after most of the array. late: only
/// after most of the array.
enum class Returns { soon, by_rows, late };

/// A row of the table of the patterns.
struct NamedPattern {
    std::string name;
    std::string what;
    Returns returns;
    Pattern (*make)(ArrayShape shape, double degrees);
};

/// All patterns, in the order of a lecture. Only `rotated` uses `degrees`.
const std::vector<NamedPattern>& patterns();

/// The base-2 logarithm of the side of a square tile of `random_in_tile`, in elements.
constexpr unsigned log2_random_tile = 5;

/// The threads of a block. Whatever the pattern, a block reads a tile of consecutive numbers at a time:
/// reads_at_once() for each thread.
constexpr unsigned walk_threads = 256;

/// Loads that a thread has in flight. A multiprocessor of an H200 takes 32 GB/s of memory's 4.2 TB/s, and
/// memory's latency is about 600 ns: by Little's law 20 KB must be in flight, 10 bytes for each of 2048
/// threads.
CUDABOOK_HOST_DEVICE constexpr unsigned reads_at_once(std::size_t element_bytes) {
    return element_bytes <= 2 ? 16 : element_bytes == 4 ? 8 : 4;
}
CUDABOOK_HOST_DEVICE constexpr unsigned walk_tile(std::size_t element_bytes) {
    return walk_threads * reads_at_once(element_bytes);
}

/// The smallest array: a tile of the widest elements.
constexpr std::size_t least_bytes = std::size_t{16} * walk_tile(16);
constexpr std::size_t most_bytes = std::size_t{1} << 28U;

}  // namespace cudabook::access_patterns
