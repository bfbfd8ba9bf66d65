// Special functions of mathematics that the C library does not have, computed in long double. They are
// rounded to nearest, except that the last bit of very few results is wrong.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace cudabook::emulation {

using Long = long double;

/// Returns y after one step of Halley's method for the root of a function. `value` and `derivative` are the
/// function's value and first derivative at y. Its second derivative must be -2 y times its first derivative.
inline Long halley_step(Long y, Long value, Long derivative) {
    const Long step = value / derivative;
    return y - step / (1 + y * step);
}

inline Long inverse_erf(Long x);

/// Returns the y for which the complementary error function of y is x.
inline Long inverse_erfc(Long x) {
    if (!(x >= 0 && x <= 2)) return std::numeric_limits<Long>::quiet_NaN();
    if (x == 0 || x == 2)
        return x == 0 ? std::numeric_limits<Long>::infinity() : -std::numeric_limits<Long>::infinity();
    if (x >= 0.5L && x <= 1.5L) return inverse_erf(1 - x);
    if (x > 1) return -inverse_erfc(2 - x);
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.22: off by less than 0.003.
    const Long t = std::sqrt(-2 * std::log(x / 2));
    Long y =
        (t - (2.30753L + 0.27061L * t) / (1 + t * (0.99229L + 0.04481L * t))) / std::numbers::sqrt2_v<Long>;
    for (int i = 0; i < 3; ++i)
        y = halley_step(y, std::erfc(y) - x, -2 * std::numbers::inv_sqrtpi_v<Long> * std::exp(-y * y));
    return y;
}

/// Returns the y for which the error function of y is x.
inline Long inverse_erf(Long x) {
    if (std::abs(x) > 0.5L) return x > 0 ? inverse_erfc(1 - x) : -inverse_erfc(1 + x);
    if (x == 0 || std::isnan(x)) return x;
    Long y = x / (2 * std::numbers::inv_sqrtpi_v<Long>);
    for (int i = 0; i < 4; ++i)
        y = halley_step(y, std::erf(y) - x, 2 * std::numbers::inv_sqrtpi_v<Long> * std::exp(-y * y));
    return y;
}

/// Returns exp(x x) erfc(x).
inline Long scaled_erfc(Long x) {
    if (x < 10) return std::exp(x * x) * std::erfc(x);
    Long fraction = x;  // the continued fraction x + 1/2 / (x + 1 / (x + 3/2 / (x + ...)))
    for (int i = 50; i > 0; --i) fraction = x + i / 2.0L / fraction;
    return std::numbers::inv_sqrtpi_v<Long> / fraction;
}

/// Returns the modified Bessel function of the first kind, of order 0 or 1, by the sum of its power series.
/// All terms of the series have the same sign.
inline Long modified_bessel(int order, Long x) {
    if (std::isnan(x)) return x;
    if (std::abs(x) > 1000)
        return order == 1 && x < 0 ? -std::numeric_limits<Long>::infinity()
                                   : std::numeric_limits<Long>::infinity();
    Long term = order == 1 ? x / 2 : 1;
    Long sum = term;
    for (int k = 1; std::abs(term) > std::abs(sum) * 0x1p-70L; ++k) {
        term *= x * x / (4.0L * k * (k + order));
        sum += term;
    }
    return sum;
}

/// Returns the Euclidean length of a vector: the square root of the sum of squares. The sum of squares of
/// doubles neither overflows nor underflows, because it is a long double.
template <class... T>
Long length_of_vector(T... parts) {
    if ((std::isinf(parts) || ...)) return std::numeric_limits<Long>::infinity();
    return std::sqrt(((static_cast<Long>(parts) * parts) + ...));
}
template <class T>
Long length_of_vector(int dimensions, const T* parts) {
    Long sum = 0;
    bool infinite = false;
    for (int i = 0; i < dimensions; ++i) {
        infinite |= std::isinf(parts[i]);
        sum += static_cast<Long>(parts[i]) * parts[i];
    }
    return infinite ? std::numeric_limits<Long>::infinity() : std::sqrt(sum);
}

}  // namespace cudabook::emulation
