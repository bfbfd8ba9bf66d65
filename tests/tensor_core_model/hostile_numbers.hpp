// Makes, from a seed, factors and accumulators whose sums are hard to calculate exactly as a tensor core
// does. Kernels and their checks make the same numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/cuda/host_device.hpp"
#include "common/tensor_core_model/sums.hpp"

namespace cudabook::test {

/// The kinds of terms that make a sum hard.
enum class Hostile {
    any_bits,            // NaNs and infinities too
    near_one,            // exponents from -2 to 2
    far_apart,           // exponents from -14 to 14
    near_smallest,       // sums near the smallest floats
    near_largest,        // sums near the largest floats
    cancelling,          // most products have an opposite
    specials,            // zeros of both signs, infinities, NaNs
    one_large,           // one product hides most bits of the others
    zeros,               // products are zeros of both signs
    zeros_beside_large,  // half of the factors are zeros; the others may be as large as the format allows
    subnormal,           // half of the factors are subnormal
    everywhere,          // all exponents of the format are equally likely
    count,
};

/// The range of the exponents of a format, and the precision of its significand.
struct Range {
    int least_exponent, largest_exponent;
    int bits;  // of the significand, without the leading 1
};
constexpr Range range_of(tensor_cores::Half) { return {-14, 15, 10}; }
constexpr Range range_of(tensor_cores::Bfloat16) { return {-126, 127, 7}; }
constexpr Range range_of(tensor_cores::Tf32) { return {-126, 127, 10}; }
constexpr Range range_of_float{-126, 127, 23};

CUDABOOK_HOST_DEVICE inline std::uint32_t scrambled_bits(std::uint64_t x) {  // splitmix64
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>((x ^ (x >> 31)) >> 16);
}

/// The numbers of d = a b + c, where a has 64 rows and b has 64 columns.
struct HostileNumbers {
    std::uint64_t seed;
    Range range;
    Hostile kind;

    CUDABOOK_HOST_DEVICE HostileNumbers(std::uint64_t seed_, Range range_)
        : seed(seed_),
          range(range_),
          kind(static_cast<Hostile>(seed_ % static_cast<std::uint64_t>(Hostile::count))) {}

    /// Returns a number with this sign and exponent. The highest bits of `significand` become the bits after
    /// the leading 1. An exponent outside the format's range is clamped to the range.
    CUDABOOK_HOST_DEVICE float number(bool negative, int exponent, std::uint32_t significand) const {
        const float kept =
            static_cast<float>(significand >> (32 - range.bits)) / static_cast<float>(1U << range.bits);
        if (exponent < range.least_exponent) exponent = range.least_exponent;
        if (exponent > range.largest_exponent) exponent = range.largest_exponent;
        const float value = std::ldexp(1 + kept, exponent);
        return negative ? -value : value;
    }
    CUDABOOK_HOST_DEVICE float subnormal(bool negative, std::uint32_t significand) const {
        const float value = std::ldexp(static_cast<float>(significand >> (32 - range.bits)),
                                       range.least_exponent - range.bits);
        return negative ? -value : value;
    }

    /// Returns element k, below 16, of row `line` of a (matrix 0) or of column `line` of b (matrix 1).
    CUDABOOK_HOST_DEVICE float factor(int matrix, int line, int k) const {
        const auto random_at = [&](int depth) {
            return scrambled_bits(seed << 20 | static_cast<std::uint64_t>((matrix * 64 + line) * 16 + depth));
        };
        const std::uint32_t random = random_at(k);
        const bool negative = (random & 1) != 0;
        const auto choose = [&](int from, int to) {
            return from + static_cast<int>((random >> 1 & 0xffff) % static_cast<unsigned>(to - from + 1));
        };
        const bool even = (random >> 1 & 1) == 0;
        const std::uint32_t significand = scrambled_bits(random);
        const int whole = range.largest_exponent - range.least_exponent;
        switch (kind) {
            case Hostile::any_bits: {
                const int exponent = choose(range.least_exponent - 1, range.largest_exponent + 1);
                if (exponent < range.least_exponent) return subnormal(negative, significand);
                if (exponent > range.largest_exponent)
                    return tensor_cores::float_of(significand % 2 != 0 ? 0x7fc00000
                                                  : negative           ? 0xff800000
                                                                       : 0x7f800000);
                return number(negative, exponent, significand);
            }
            case Hostile::near_one:
                return number(negative, choose(-2, 2), significand);
            case Hostile::far_apart:
                return number(negative, choose(-14, 14), significand);
            case Hostile::near_smallest:
                return number(negative, choose(-80, -61) + static_cast<int>(seed / 100 % 12), significand);
            case Hostile::near_largest:
                return number(negative,
                              choose(range.largest_exponent / 2 - 2, range.largest_exponent / 2 + 1),
                              significand);
            case Hostile::cancelling: {
                const std::uint32_t of_both = random_at(k & ~1);
                const float of_pair =
                    number(false, static_cast<int>(of_both % 9) - 4, scrambled_bits(of_both));
                const float value =
                    random % 5 == 0 ? number(false, static_cast<int>(of_both % 9) - 4, significand) : of_pair;
                return matrix == 1 && k % 2 == 1 ? -value : value;
            }
            case Hostile::specials:
                if (random >> 8 & 1) return negative ? -0.0F : 0.0F;
                if (choose(0, 60) == 0) return tensor_cores::float_of(even ? 0x7f800000 : 0xff800000);
                if (choose(0, 96) == 1) return tensor_cores::float_of(0x7fc00000);
                return number(negative, choose(-3, 3), significand);
            case Hostile::one_large:
                return number(negative, k == static_cast<int>(seed / 100 % 8) ? 12 : choose(-1, 3),
                              significand);
            case Hostile::zeros:
                return negative ? -0.0F : 0.0F;
            case Hostile::zeros_beside_large:
                if (even) return negative ? -0.0F : 0.0F;
                return number(negative, choose(range.least_exponent / 4, range.largest_exponent),
                              significand);
            case Hostile::subnormal:
                return even ? subnormal(negative, significand)
                            : number(negative, choose(0, range.largest_exponent), significand);
            default:
                return number(negative, range.least_exponent + choose(0, whole), significand);
        }
    }

    /// Returns an element of c, a number of the format with range `sums`.
    CUDABOOK_HOST_DEVICE float accumulator(int row, int column, Range sums) const {
        const std::uint32_t random =
            scrambled_bits(seed << 20 | static_cast<std::uint64_t>(0x80000 + row * 64 + column));
        const bool negative = (random & 1) != 0;
        const std::uint32_t way = random >> 1 & 0xff;
        const auto choose = [&](int from, int to) {
            return from + static_cast<int>((random >> 9) % static_cast<unsigned>(to - from + 1));
        };
        const std::uint32_t significand = scrambled_bits(random);
        const HostileNumbers other(seed, sums);
        if (way % 6 == 0) return negative ? -0.0F : 0.0F;
        if (way % 6 == 1) return other.subnormal(negative, significand);
        if (way % 64 == 2 && (kind == Hostile::any_bits || kind == Hostile::specials))
            return tensor_cores::float_of(significand % 2 != 0 ? 0x7fc00000
                                          : negative           ? 0xff800000
                                                               : 0x7f800000);
        if (way % 6 == 2 || kind == Hostile::everywhere || kind == Hostile::subnormal)
            return other.number(negative, choose(sums.least_exponent, sums.largest_exponent), significand);
        if (kind == Hostile::near_smallest) return other.number(negative, choose(-126, -100), significand);
        if (kind == Hostile::near_largest)
            return other.number(negative, choose(range.largest_exponent - 5, range.largest_exponent + 10),
                                significand);
        return other.number(negative, choose(-12, 12), significand);
    }
};

}  // namespace cudabook::test
