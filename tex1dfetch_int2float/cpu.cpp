// The CPU: the values that the texture unit should give, computed in two ways that share no code.
#include <algorithm>
#include <bit>
#include <span>

#include "common/program/fault.hpp"
#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {

namespace {

/// Returns the bits of v / most, or of -1 for the only value below -most, which is -128 or -32768.
std::uint32_t normalised(int v, int most) {
    return std::bit_cast<std::uint32_t>(v < -most ? -1.0F : static_cast<float>(v) / static_cast<float>(most));
}

/// Converts IEEE 754 binary16 to binary32. A NaN keeps its payload, and a signalling NaN stays signalling.
std::uint32_t half_to_float(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = half >> 10U & 0x1fU;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0)  // fraction · 2^-24: zero or a subnormal, which is a normal number as a float
        return sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
    if (exponent == 0x1fU) return sign | 0x7f800000U | fraction << 13U;
    return sign | (exponent + 127 - 15) << 23U | fraction << 13U;
}

/// Returns the float nearest to numerator / denominator, computed by long division. The quotient must be 0
/// or a normal number below 2^24, and must not be halfway between two floats.
std::uint32_t nearest_float(std::uint64_t numerator, std::uint64_t denominator) {
    if (numerator == 0) return 0;
    std::uint32_t exponent = 127 + 23;
    for (; numerator < denominator << 23U; --exponent) numerator *= 2;
    const std::uint64_t fraction = (2 * numerator / denominator + 1) / 2;  // 24 bits, the first is 1
    return ((exponent - 1) << 23U) + static_cast<std::uint32_t>(fraction);
}

/// Returns the same result as formula() for a half, computed with integers alone. Except for an infinity or
/// a NaN, the value is computed as a whole number of units of 2^-24.
std::uint32_t half_by_integers(std::uint32_t bits) {
    const std::uint32_t sign = bits >= 0x8000U ? 0x80000000U : 0;
    const std::uint32_t rest = bits % 0x8000U;
    if (rest >= 0x7c00U) return sign + 0x7f800000U + (rest - 0x7c00U) * 0x2000U;
    std::uint64_t units = rest % 0x400U + (rest >= 0x400U ? 0x400U : 0);
    for (std::uint32_t doublings = rest / 0x400U; doublings > 1; --doublings) units *= 2;
    return sign + nearest_float(units, std::uint64_t{1} << 24U);
}

/// Returns the same result as formula(), computed with integers alone.
std::uint32_t by_integers(const Format& format, std::uint32_t bits) {
    if (format.element == Element::half) return half_by_integers(bits);
    const auto codes = static_cast<std::int64_t>(format.values());
    const std::int64_t largest = format.is_signed() ? codes / 2 - 1 : codes - 1;
    const std::int64_t value = bits <= largest ? std::int64_t{bits} : std::int64_t{bits} - codes;
    if (!format.normalised) return static_cast<std::uint32_t>(value);
    const std::int64_t size = std::min(value < 0 ? -value : value, largest);
    return (value < 0 ? 0x80000000U : 0) +
           nearest_float(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(largest));
}

/// Returns the result of `give` for each component of the texels of a texture with `components` components.
template <class Give>
std::vector<std::uint32_t> values_by(Give give, const char* name, const Format& format, int components) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < format.values(); ++i)
        for (int c = 0; c < components; ++c) values.push_back(give(format, stored(format, i, c)));
    flip_bit_if_asked(name, std::span(values));
    return values;
}

}  // namespace

std::string Format::name() const {
    switch (element) {
        case Element::signed_char:
            return "signed char";
        case Element::unsigned_char:
            return "unsigned char";
        case Element::signed_short:
            return "short";
        case Element::unsigned_short:
            return "unsigned short";
        case Element::half:
            break;
    }
    return "half";
}

std::vector<Format> formats() {
    std::vector<Format> all;
    for (const Element element :
         {Element::signed_char, Element::unsigned_char, Element::signed_short, Element::unsigned_short})
        for (const bool normalised : {false, true}) all.push_back({element, normalised});
    all.push_back({Element::half, false});
    return all;
}

std::uint32_t formula(const Format& format, std::uint32_t bits) {
    const auto as_signed_char = static_cast<std::int8_t>(bits);
    const auto as_short = static_cast<std::int16_t>(bits);
    switch (format.element) {
        case Element::signed_char:
            return format.normalised ? normalised(as_signed_char, 127)
                                     : static_cast<std::uint32_t>(as_signed_char);
        case Element::unsigned_char:
            return format.normalised ? normalised(static_cast<int>(bits), 255) : bits;
        case Element::signed_short:
            return format.normalised ? normalised(as_short, 32767) : static_cast<std::uint32_t>(as_short);
        case Element::unsigned_short:
            return format.normalised ? normalised(static_cast<int>(bits), 65535) : bits;
        case Element::half:
            break;
    }
    return half_to_float(bits);
}

std::vector<std::uint32_t> values_by_formula(const Format& format, int components) {
    return values_by(formula, "formula", format, components);
}

std::vector<std::uint32_t> values_by_integers(const Format& format, int components) {
    return values_by(by_integers, "integers", format, components);
}

std::vector<Kernel> cpu_kernels() {
    const auto read = [](const Device&, const Format& format, int components) {
        return Readout{values_by_formula(format, components), {}};
    };
    return {{.name = "formula",
             .memory = "host",
             .what = "what the texture unit should give, worked out on the CPU",
             .device = DeviceKind::cpu,
             .place = "host",
             .read = read,
             .measure = nullptr}};
}

}  // namespace cudabook::tex1dfetch_int2float
