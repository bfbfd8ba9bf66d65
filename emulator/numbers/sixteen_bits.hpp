// The common parts of cuda_fp16.h and cuda_bf16.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <vector_types.h>

#include "emulator/engine/warp_functions.hpp"
#include "emulator/numbers/rounding.hpp"
#include "emulator/textures/conversions.hpp"

namespace cudabook::emulation {

/// The traits of a 16-bit floating-point type. Each specialization has the member type Format and the
/// static function value(bits), which returns the number with these bits as a float.
template <class Number>
struct SixteenBits;

template <class Number>
std::uint16_t bits_of(Number x) {
    return std::bit_cast<std::uint16_t>(x);
}
template <class Number>
Number number_of(unsigned bits) {
    return std::bit_cast<Number>(static_cast<std::uint16_t>(bits));
}
template <class Number>
double value_of(Number x) {
    return SixteenBits<Number>::value(bits_of(x));
}

/// Rounds the value to nearest or in a direction. If the value was already rounded to odd from an exact
/// value, the result is the same as if the exact value had been rounded.
template <class Number, Rounding rounding = Rounding::nearest>
Number narrowed(double value) {
    if (std::isnan(value)) return number_of<Number>(0x7fff);
    return number_of<Number>(rounded<typename SixteenBits<Number>::Format, rounding>(value));
}

template <class Number, class T>
requires std::is_integral_v<T> Number narrowed(T value) {
    return number_of<Number>(rounded<typename SixteenBits<Number>::Format, Rounding::nearest>(value));
}

/// Clamps to 0 ... 1. NaN becomes 0.
template <class Number>
Number saturated(Number x) {
    const double value = value_of(x);
    return narrowed<Number>(value > 0 ? (value < 1 ? value : 1) : 0);
}

/// Returns whether x is greater than y; +0 is greater than -0. Neither may be NaN.
template <class Number>
bool is_greater(Number x, Number y) {
    const double a = value_of(x);
    const double b = value_of(y);
    return a > b || (a == b && !std::signbit(a));
}

}  // namespace cudabook::emulation
