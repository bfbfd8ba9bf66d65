// Matrices for the tests of matmul, and the comparison of products.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/numbers/rand_stream.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::test {

/// Sides of matrices that test every edge of the kernels' tiles.
inline const std::vector<std::size_t> matmul_sides{1, 2, 15, 16, 17, 31, 63, 64, 65, 127, 129, 255, 257};

inline std::string text_of(const matmul::GemmShape& shape) {
    return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

/// Returns factors whose elements are make(uniform, of_a, row, column). `uniform` is a random number from -1
/// to below 1. `of_a` is true for elements of A and false for elements of B.
inline matmul::Factors factors_of(
    const matmul::GemmShape& shape,
    const std::function<float(float uniform, bool of_a, std::size_t row, std::size_t column)>& make) {
    matmul::Factors factors = matmul::random_factors(shape);
    for (std::size_t i = 0; i < factors.a.size(); ++i)
        factors.a[i] = make(factors.a[i], true, i / shape.k, i % shape.k);
    for (std::size_t i = 0; i < factors.b.size(); ++i)
        factors.b[i] = make(factors.b[i], false, i / shape.n, i % shape.n);
    return factors;
}

/// Returns factors with elements of all magnitudes from 2^-20 to 2^20.
inline matmul::Factors spread_factors(const matmul::GemmShape& shape) {
    RandStream stream;
    return factors_of(shape, [&](float uniform, bool, std::size_t, std::size_t) {
        return std::ldexp(uniform, static_cast<int>(stream() % 41) - 20);
    });
}

/// Returns factors with cancellation. The second half of each row of A repeats the first half. The second
/// half of each column of B is nearly the negative of the first half. So the two halves of a sum of products
/// cancel, except for about a thousandth.
inline matmul::Factors cancelling_factors(const matmul::GemmShape& shape) {
    matmul::Factors factors = matmul::random_factors(shape);
    const std::size_t half = shape.k / 2;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t p = 0; p < half; ++p) factors.a[i * shape.k + half + p] = factors.a[i * shape.k + p];
    for (std::size_t p = 0; p < half; ++p)
        for (std::size_t j = 0; j < shape.n; ++j) {
            const float rest = factors.b[(half + p) * shape.n + j] * 0x1p-10F;
            factors.b[(half + p) * shape.n + j] = rest - factors.b[p * shape.n + j];
        }
    return factors;
}

/// Returns ordinary numbers mixed with infinities, NaNs, the largest and smallest floats, and zeros of both
/// signs.
inline matmul::Factors extreme_factors(const matmul::GemmShape& shape) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float largest = std::numeric_limits<float>::max();
    constexpr float smallest = std::numeric_limits<float>::denorm_min();
    constexpr float extremes[] = {infinity, -infinity, nan,  largest, -largest,
                                  smallest, -smallest, 0.0F, -0.0F,   1e-30F};
    RandStream stream;
    return factors_of(shape, [&](float uniform, bool, std::size_t row, std::size_t column) {
        if (row % 3 != 0 && column % 3 != 0) return uniform;  // some elements of C remain finite
        const std::uint32_t pick = stream() % 97;
        return pick < std::size(extremes) ? extremes[pick] : uniform;
    });
}

/// Returns factors so small that products and sums are subnormal or zero.
inline matmul::Factors tiny_factors(const matmul::GemmShape& shape) {
    RandStream stream;
    return factors_of(shape, [&](float uniform, bool, std::size_t, std::size_t) {
        return std::ldexp(uniform, -60 - static_cast<int>(stream() % 30));
    });
}

/// Returns a description of the first element whose bits differ, or an empty string if no element differs.
/// All NaNs count as equal. `n` is the number of columns.
inline std::string difference(const std::vector<float>& found, const std::vector<float>& expected,
                              std::size_t n) {
    if (found.size() != expected.size()) return "the sizes differ";
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(found[i]) == std::bit_cast<std::uint32_t>(expected[i])) continue;
        if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
        return fmt::format("({}, {}): {} and not {}", i / n, i % n, found[i], expected[i]);
    }
    return {};
}

}  // namespace cudabook::test
