// What the texture unit should give, worked out on the CPU.
#include <bit>

#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {

namespace {

/// v / most, but -1 for the one value that is less than -most: -128 and -32768.
std::uint32_t normalised(int v, int most) {
    return std::bit_cast<std::uint32_t>(v < -most ? -1.0F : static_cast<float>(v) / static_cast<float>(most));
}

/// IEEE 754: binary16 to binary32. A NaN keeps its payload, and a signalling one goes on signalling.
std::uint32_t half_to_float(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = half >> 10U & 0x1fU;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0)  // fraction · 2^-24: zero or a subnormal, which the float has as a normal number
        return sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
    if (exponent == 0x1fU) return sign | 0x7f800000U | fraction << 13U;
    return sign | (exponent + 127 - 15) << 23U | fraction << 13U;
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

std::vector<Kernel> cpu_kernels() {
    const auto read = [](const Device&, const Format& format, int components) {
        Readout readout;
        for (std::size_t i = 0; i < format.values(); ++i)
            for (int c = 0; c < components; ++c)
                readout.values.push_back(formula(format, stored(format, i, c)));
        return readout;
    };
    return {{"formula", "host", "what the texture unit should give, worked out on the CPU", DeviceKind::cpu,
             "host", read, nullptr}};
}

}  // namespace cudabook::tex1dfetch_int2float
