// In which order an array's elements are read: permutations of their numbers, for the host and the device.
// Each takes few operations, because it is memory that is to be measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "common/cuda/host_device.hpp"

namespace cudabook::access_patterns {

/// An array of 2^width_bits × 2^height_bits elements in row-major order, at most 2^28 of them.
struct Shape {
    unsigned width_bits;
    unsigned height_bits;

    [[nodiscard]] unsigned bits() const { return width_bits + height_bits; }
    [[nodiscard]] std::uint32_t width() const { return 1U << width_bits; }
    [[nodiscard]] std::uint32_t height() const { return 1U << height_bits; }
    [[nodiscard]] std::uint32_t elements() const { return 1U << bits(); }
};

/// The shape of `bytes` bytes, both powers of two: as wide as high, or twice as wide.
Shape shape_of(std::size_t bytes, std::size_t element_bytes);

/// Two neighbouring fields of an index's bits change places. That makes rows, columns, tiles and strides.
class Fields {
  public:
    /// p(a ^ b) = p(a) ^ p(b), so that a part of the index that is known beforehand can be permuted
    /// beforehand.
    static constexpr bool permutes_bits = true;

    /// Of an index of `bits` bits the lowest `kept` stay; the `first` bits above change places with the
    /// `second` bits above those; what is left stays. Bits beyond `bits` are dropped.
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
    std::uint32_t second_;  ///< where the second field goes
    unsigned up_;
    unsigned down_;
};

/// Morton's curve, which fills the plane in ever larger squares: the index's bits are in turn x's and y's.
class Morton {
  public:
    static constexpr bool permutes_bits = true;

    explicit Morton(Shape shape) : width_bits_(shape.width_bits) {}

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        return every_other_bit(i) | every_other_bit(i >> 1) << width_bits_;
    }

  private:
    /// Bits 0, 2, 4, ... side by side.
    CUDABOOK_HOST_DEVICE static std::uint32_t every_other_bit(std::uint32_t i) {
        i &= 0x55555555U;
        i = (i | i >> 1) & 0x33333333U;
        i = (i | i >> 2) & 0x0f0f0f0fU;
        i = (i | i >> 4) & 0x00ff00ffU;
        return (i | i >> 8) & 0x0000ffffU;
    }

    unsigned width_bits_;
};

/// Parallel lines at an angle: the plane is turned by three shears (after quarter turns), each of which moves
/// whole rows or columns by whole elements, round the edge; so every element is read once. Source: A. W.
/// Paeth, "A Fast Algorithm for General Raster Rotation", 1986.
class Rotated {
  public:
    static constexpr bool permutes_bits = false;

    /// At 0 degrees the lines are the rows, left to right; at 90 the columns, downwards.
    Rotated(Shape shape, double degrees);

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
    std::uint32_t flips_ = 0;  ///< the bits of x, y or both, where these run backwards
    unsigned width_bits_;
    std::uint32_t x_mask_;
    std::uint32_t y_mask_;
    std::int32_t tangent_;  ///< of half the angle, in units of 2^-16
    std::int32_t sine_;     ///< likewise
};

/// The lowest bits of the index are scattered, by steps that can all be undone; then fields change places.
/// With all bits it is a random order; with those of a tile a random order within each tile.
class Mixed {
  public:
    static constexpr bool permutes_bits = false;

    Mixed(unsigned bits, Fields then)
        : mask_((1U << bits) - 1), half_(bits < 2 ? 1 : bits / 2), then_(then) {}

    CUDABOOK_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        std::uint32_t mixed = i & mask_;
        mixed = mixed * 0x9e3779b1U & mask_;  // by an odd number: mod 2^bits, that is a permutation
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

/// The element, in row-major order, that is read as number i. Threads that are neighbours have neighbouring
/// i.
using Pattern = std::variant<Fields, Morton, Rotated, Mixed>;

/// When a pattern comes back to an element's neighbours: soon; to those of the next row soon, but to those of
/// its own row only after most of the array; or to all of them only then.
enum class Returns { soon, by_rows, late };

/// A row of the table of the patterns.
struct NamedPattern {
    std::string name;
    std::string what;
    Returns returns;
    Pattern (*make)(Shape shape, double degrees);
};

/// In the order of a lecture. `degrees` is for `rotated` alone.
const std::vector<NamedPattern>& patterns();

/// Elements of a square tile of `random_in_tile` along a side.
constexpr unsigned log2_random_tile = 5;

/// How the kernels walk: a block of so many threads reads a tile of as many consecutive numbers at a time as
/// its threads read at once, whatever the pattern.
constexpr unsigned walk_threads = 256;

/// Loads that a thread has in flight. A multiprocessor of an H200 takes 32 GB/s of memory's 4.2 TB/s, and
/// waits some 600 ns for it: by Little's law 20 KB must be on their way, 10 bytes for each of 2048 threads.
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
