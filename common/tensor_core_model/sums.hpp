// A bit-exact model of the sums of tensor cores. Tensor cores add a group of products and the accumulator at
// once: they align all terms to the largest exponent, cut off the bits that are too low, and add the rest
// exactly. Source: Khattak and Mikaitis, "Accurate Models of NVIDIA Tensor Cores", and the authors' models
// for compute capabilities 7.0, 8.x, 10.0 and 12.0; for the group size of 7.5, Valpey et al., "An SMT
// Formalization of Mixed-Precision Matrix Multiplication". The number of bits for 7.5 is a guess. Only the
// adder of 9.0 was compared here with a GPU, an H200 (tests/tensor_core_model/).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/cuda/host_device.hpp"

namespace cudabook::tensor_cores {

/// How the tensor cores of an architecture add.
struct Adder {
    int group;            ///< how many products of 16-bit factors are added at once; half as many in TF32
    int bits;             ///< how many bits after the binary point an aligned term keeps
    int least_for_float;  ///< the least exponent to which terms are aligned if the sum is a float
    int least_for_half;   ///< the least exponent to which terms are aligned if the sum is a half
};

inline constexpr Adder volta{.group = 4, .bits = 23, .least_for_float = -300, .least_for_half = -19};
inline constexpr Adder turing{.group = 4, .bits = 24, .least_for_float = -300, .least_for_half = -20};
inline constexpr Adder ampere{.group = 8, .bits = 24, .least_for_float = -132, .least_for_half = -20};
inline constexpr Adder hopper{.group = 16, .bits = 25, .least_for_float = -133, .least_for_half = -21};

/// Returns the adder of a compute capability; 75 means 7.5. Blackwell has the same adder as Hopper.
constexpr const Adder& adder_of(int capability) {
    return capability >= 90 ? hopper : capability >= 80 ? ampere : capability >= 75 ? turing : volta;
}

/// The formats of factors. `least_exponent` is the exponent of the smallest normal number. Adder::group /
/// share_of_group products are added at once.
struct Half {
    static constexpr int least_exponent = -14;
    static constexpr int share_of_group = 1;
};
struct Bfloat16 {
    static constexpr int least_exponent = -126;
    static constexpr int share_of_group = 1;
};
struct Tf32 {
    static constexpr int least_exponent = -126;
    static constexpr int share_of_group = 2;
};

CUDABOOK_HOST_DEVICE inline std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
CUDABOOK_HOST_DEVICE inline float float_of(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}
/// Returns 2 to the power of an exponent from -1022 to 1023.
CUDABOOK_HOST_DEVICE inline double power_of_two(int exponent) {
    const std::int64_t bits = static_cast<std::int64_t>(exponent + 1023) << 52;
    double power = 0;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

/// Returns the exponent of a term. A subnormal number has the exponent `least` of the smallest normal number.
/// Zero has an exponent below every adder's least exponent, so that a zero never determines the alignment.
CUDABOOK_HOST_DEVICE inline int exponent(float value, int least) {
    const std::uint32_t magnitude = bits_of(value) & 0x7fffffff;
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    return magnitude == 0 ? -10000 : exponent > least ? exponent : least;
}

/// The factors of `columns` vectors at `depth` consecutive k. The vectors are columns of B or rows of A. Each
/// value must be a number of the format `Format`. prepare() must be called when all values have been set.
template <class Format, int depth, int columns = 1>
struct Factors {
    float value[depth][columns];
    int exponent[depth][columns];
    bool finite;

    CUDABOOK_HOST_DEVICE void prepare() {
        std::uint32_t largest = 0;
        for (int k = 0; k < depth; ++k)
            for (int j = 0; j < columns; ++j) {
                const std::uint32_t magnitude = bits_of(value[k][j]) & 0x7fffffff;
                largest = magnitude > largest ? magnitude : largest;
                exponent[k][j] = tensor_cores::exponent(value[k][j], Format::least_exponent);
            }
        finite = largest < 0x7f800000;
    }
};

/// Returns the sum rounded towards zero. A sum of magnitude 2^128 or more becomes an infinity. The sign of a
/// zero becomes positive.
CUDABOOK_HOST_DEVICE inline float cut_to_float(double sum) {
    const auto nearest = static_cast<float>(sum);
    const std::uint32_t is_larger = std::fabs(static_cast<double>(nearest)) > std::fabs(sum) ? 1 : 0;
    const std::uint32_t is_in_range = std::fabs(sum) < 0x1p128 ? 1 : 0;
    return float_of(bits_of(nearest) - (is_larger & is_in_range)) + 0.0F;  // makes a zero positive
}

/// Rounds sums to float, as tensor cores do.
struct ToFloat {
    static constexpr int least_exponent = -126;
    CUDABOOK_HOST_DEVICE static int least(const Adder& adder) { return adder.least_for_float; }
    CUDABOOK_HOST_DEVICE static float rounded(double sum) { return cut_to_float(sum); }
    CUDABOOK_HOST_DEVICE static float nan() { return float_of(0x7fffffff); }
};

/// Rounds sums to the nearest half. Nearest::nearest_half(double) returns this half as a float, and a NaN for
/// a NaN.
template <class Nearest>
struct ToHalf {
    static constexpr int least_exponent = Half::least_exponent;
    CUDABOOK_HOST_DEVICE static int least(const Adder& adder) { return adder.least_for_half; }
    CUDABOOK_HOST_DEVICE static float rounded(double sum) {
        const float nearest = Nearest::nearest_half(sum);
        return nearest == 0 ? 0 : nearest;
    }
    CUDABOOK_HOST_DEVICE static float nan() { return Nearest::nearest_half(std::nan("")); }
};

// Without this pragma, g++ unrolls loops over 16 columns instead of vectorising them.
#if defined(_OPENMP) && !defined(__CUDACC__)
#define CUDABOOK_SIMD _Pragma("omp simd")
#else
#define CUDABOOK_SIMD
#endif

/// Adds the products for k from `first` to `first` + `group` - 1 to the sums of the columns from `begin` to
/// `end` - 1. All terms must be finite.
template <class Result, int group, class Format, int depth, int columns>
[[gnu::always_inline]] CUDABOOK_HOST_DEVICE inline void add_finite_group(
    const Adder& adder, float (&sums)[columns], const Factors<Format, depth>& a,
    const Factors<Format, depth, columns>& b, int first, int begin, int end) {
    int largest[columns] = {};
    CUDABOOK_SIMD
    for (int j = begin; j < end; ++j) {
        const int of_sum = exponent(sums[j], Result::least_exponent);
        largest[j] = of_sum > Result::least(adder) ? of_sum : Result::least(adder);
    }
    for (int k = first; k < first + group; ++k) {
        CUDABOOK_SIMD
        for (int j = begin; j < end; ++j) {
            const int of_product = a.exponent[k][0] + b.exponent[k][j];
            largest[j] = of_product > largest[j] ? of_product : largest[j];
        }
    }
    double scale[columns] = {};
    double total[columns] = {};
    CUDABOOK_SIMD
    for (int j = begin; j < end; ++j) {
        scale[j] = power_of_two(adder.bits - largest[j]);
        total[j] = static_cast<int>(sums[j] * scale[j]);
    }
    for (int k = first; k < first + group; ++k) {
        CUDABOOK_SIMD
        for (int j = begin; j < end; ++j) {
            const double product = static_cast<double>(a.value[k][0]) * static_cast<double>(b.value[k][j]);
            total[j] += static_cast<int>(product * scale[j]);
        }
    }
    CUDABOOK_SIMD
    for (int j = begin; j < end; ++j)
        sums[j] = Result::rounded(total[j] * power_of_two(largest[j] - adder.bits));
}

#undef CUDABOOK_SIMD

/// Adds the products to the sums, one group at a time. Terms may be infinite or NaN.
template <class Result, int group, class Format, int depth, int columns>
[[gnu::always_inline]] CUDABOOK_HOST_DEVICE inline void add_groups(const Adder& adder, float (&sums)[columns],
                                                                   const Factors<Format, depth>& a,
                                                                   const Factors<Format, depth, columns>& b) {
    for (int first = 0; first < depth; first += group) {
        std::uint32_t largest = 0;
        for (int j = 0; j < columns; ++j) {
            const std::uint32_t magnitude = bits_of(sums[j]) & 0x7fffffff;
            largest = magnitude > largest ? magnitude : largest;
        }
        if (a.finite && b.finite && largest < 0x7f800000) {
            add_finite_group<Result, group>(adder, sums, a, b, first, 0, columns);
            continue;
        }
        for (int j = 0; j < columns; ++j) {
            double sum = sums[j];
            for (int k = first; k < first + group; ++k)
                sum += static_cast<double>(a.value[k][0]) * static_cast<double>(b.value[k][j]);
            if (std::isfinite(sum))
                add_finite_group<Result, group>(adder, sums, a, b, first, j, j + 1);
            else
                sums[j] = std::isnan(sum) ? Result::nan() : static_cast<float>(sum);
        }
    }
}

/// Adds the product of `a` and each column of `b` to the sum of this column. `depth_of_instruction` is the
/// depth along k of the modelled instruction; no group has more products. Depths and groups are powers of
/// two.
template <class Result, class Format, int depth, int columns>
[[gnu::always_inline]] CUDABOOK_HOST_DEVICE inline void add_products(const Adder& adder,
                                                                     float (&sums)[columns],
                                                                     const Factors<Format, depth>& a,
                                                                     const Factors<Format, depth, columns>& b,
                                                                     int depth_of_instruction = depth) {
    const int most = adder.group / Format::share_of_group;
    const int group = most < depth_of_instruction ? most : depth_of_instruction;
    // The loops are three times as fast if their size is known at compile time.
    if (group == depth)
        add_groups<Result, depth>(adder, sums, a, b);
    else if (group == depth / 2)
        add_groups<Result, depth / 2>(adder, sums, a, b);
    else
        add_groups<Result, depth / 4>(adder, sums, a, b);
}

}  // namespace cudabook::tensor_cores
