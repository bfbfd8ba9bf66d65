// The orders in which an array's elements are read: permutations of the elements' indices, for the host and
// the device. A permutation takes few operations, so that mainly memory is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "common/cuda/host_device.hpp"

namespace cudabook::access_patterns {

/// An array of 2^width_bits × 2^height_bits elements in row-major order, at most 2^28 elements.
struct ArrayShape {
    unsigned width_bits;
    unsigned height_bits;

    [[nodiscard]] unsigned bits() const { return width_bits + height_bits; }
    [[nodiscard]] std::uint32_t width() const { return 1U << width_bits; }
    [[nodiscard]] std::uint32_t height() const { return 1U << height_bits; }
    [[nodiscard]] std::uint32_t elements() const { return 1U << bits(); }
};

/// Returns the shape of an array of `bytes` bytes. Width and height are powers of two. The array is as wide
/// as it is high, or twice as wide.
ArrayShape shape_of(std::size_t bytes, std::size_t element_bytes);

/// A permutation of the elements' indices that swaps two adjacent bit fields of an index. With such a
/// permutation, an array can be read by rows, by columns, by tiles or with a stride.
class Fields {
  public:
    /// True if p(a ^ b) = p(a) ^ p(b) for this permutation p. Then two parts of an index can be permuted
    /// separately, so that a constant part needs to be permuted only once.
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
    std::uint32_t second_;  ///< the bits to which the second field moves
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
    /// Returns bits 0, 2, 4, ... of i as bits 0, 1, 2, ...
    CUDABOOK_HOST_DEVICE static std::uint32_t every_other_bit(std::uint32_t i) {
        i &= 0x55555555U;
        i = (i | i >> 1) & 0x33333333U;
        i = (i | i >> 2) & 0x0f0f0f0fU;
        i = (i | i >> 4) & 0x00ff00ffU;
        return (i | i >> 8) & 0x0000ffffU;
    }

    unsigned width_bits_;
};

/// Reads along parallel lines at an angle. The plane is turned by quarter turns and then by three shears.
/// Each shear moves whole rows or columns by whole elements and wraps at the edge, so every element is read
/// once. Source: A. W. Paeth, "A Fast Algorithm for General Raster Rotation", 1986.
class Rotated {
  public:
    static constexpr bool permutes_bits = false;

    /// At 0 degrees the lines are the rows, read from left to right. At 90 degrees the lines are the columns,
    /// read downwards.
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
    /// Returns factor · 2^-16 · position, rounded down.
    CUDABOOK_HOST_DEVICE static std::uint32_t part(std::int32_t factor, std::uint32_t position) {
        return static_cast<std::uint32_t>(factor * static_cast<std::int32_t>(position) >> 16);
    }

    Fields lines_;             ///< the permutation that reads by rows or by columns
    std::uint32_t flips_ = 0;  ///< the bits of each coordinate, x or y, that runs backwards
    unsigned width_bits_;
    std::uint32_t x_mask_;
    std::uint32_t y_mask_;
    std::int32_t tangent_;  ///< tan(angle / 2) of the rotation, in units of 2^-16
    std::int32_t sine_;     ///< the sine of the angle, in units of 2^-16
};

/// A pseudorandom permutation. Invertible operations scramble the lowest `bits` bits of an index; then the
/// permutation `then` is applied. If `bits` is the number of all bits of an index, the order is random in the
/// whole array. If an index within a tile has `bits` bits, the order is random within each tile.
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

/// The order of reading, as a function: pattern(i) is the row-major index of the element that is read at
/// position i of the order. Neighbouring threads have neighbouring i.
using Pattern = std::variant<Fields, Morton, Rotated, Mixed>;

/// How soon after an element a pattern reads the neighbours of the element.
/// - soon: it reads all neighbours soon.
/// - by_rows: it reads the neighbours in the next row soon, but the neighbours in the same row only after a
///   pass over the whole array.
/// - late: it reads most neighbours only after a large part of the array.
enum class Returns { soon, by_rows, late };

/// A pattern with its name and its description.
struct NamedPattern {
    std::string name;
    std::string what;
    Returns returns;
    Pattern (*make)(ArrayShape shape, double degrees);
};

/// Returns all patterns, in the order of a lecture. Only the pattern `rotated` uses the argument `degrees` of
/// make().
const std::vector<NamedPattern>& patterns();

/// The base-2 logarithm of the side, in elements, of the square tiles of the pattern `random_in_tile`.
constexpr unsigned log2_random_tile = 5;

/// The number of threads of a block. In every pattern, a block reads a tile at a time. The elements of a tile
/// are consecutive in the order of reading, with reads_at_once() elements for each thread.
constexpr unsigned walk_threads = 256;

/// Returns the number of loads that a thread has in flight. A multiprocessor of an H200 gets 32 GB/s of the
/// memory's 4.2 TB/s, and the memory's latency is about 600 ns. By Little's law, 20 KB must be in flight: 10
/// bytes for each of 2048 threads.
CUDABOOK_HOST_DEVICE constexpr unsigned reads_at_once(std::size_t element_bytes) {
    return element_bytes <= 2 ? 16 : element_bytes == 4 ? 8 : 4;
}
CUDABOOK_HOST_DEVICE constexpr unsigned walk_tile(std::size_t element_bytes) {
    return walk_threads * reads_at_once(element_bytes);
}

/// The size in bytes of the smallest array: a tile of the widest elements.
constexpr std::size_t least_bytes = std::size_t{16} * walk_tile(16);
constexpr std::size_t most_bytes = std::size_t{1} << 28U;

}  // namespace cudabook::access_patterns
