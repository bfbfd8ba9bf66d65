// 1/x as the GPU instruction MUFU.RCP computes it. Kernels scale the direction of a cube map fetch by this
// value.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cudabook::texture_unit {

namespace detail {

/// A parabola that approximates 1/x in one of 128 equal parts of [1, 2). `value` is 1/x at the beginning of
/// the part, in units of 2^-26. `fall` and `bend` are the coefficients of the linear and of the quadratic
/// term.
struct Parabola {
    std::int32_t value, fall, bend;
};

/// The parabolas of the 128 parts, found from the reciprocals of all floats in [1, 2) on an H200. Only these
/// coefficients give all of these reciprocals.
inline constexpr std::array<Parabola, 128> reciprocals{{
    {67108862, 65534, 1013}, {66588640, 64522, 989}, {66076420, 63533, 966}, {65572019, 62567, 945},
    {65075260, 61622, 923},  {64585974, 60699, 902}, {64103990, 59797, 883}, {63629144, 58914, 863},
    {63161282, 58051, 845},  {62700252, 57207, 827}, {62245903, 56381, 809}, {61798089, 55572, 791},
    {61356675, 54781, 774},  {60921522, 54007, 758}, {60492497, 53249, 742}, {60069472, 52507, 727},
    {59652323, 51780, 711},  {59240928, 51068, 696}, {58835168, 50371, 682}, {58434928, 49688, 669},
    {58040097, 49019, 656},  {57650567, 48363, 642}, {57266229, 47721, 631}, {56886984, 47091, 618},
    {56512727, 46473, 605},  {56143364, 45868, 594}, {55778796, 45274, 582}, {55418932, 44692, 572},
    {55063684, 44121, 561},  {54712959, 43560, 549}, {54366675, 43011, 540}, {54024745, 42471, 529},
    {53687091, 41942, 519},  {53353631, 41423, 510}, {53024286, 40913, 501}, {52698985, 40412, 490},
    {52377649, 39921, 482},  {52060210, 39439, 474}, {51746594, 38965, 465}, {51436735, 38500, 457},
    {51130563, 38043, 449},  {50828015, 37594, 441}, {50529027, 37153, 433}, {50233536, 36720, 426},
    {49941480, 36294, 418},  {49652801, 35876, 412}, {49367440, 35464, 403}, {49085340, 35060, 397},
    {48806447, 34663, 390},  {48530703, 34272, 383}, {48258058, 33888, 377}, {47988462, 33511, 371},
    {47721859, 33140, 366},  {47458202, 32774, 358}, {47197442, 32415, 353}, {46939532, 32062, 348},
    {46684427, 31714, 341},  {46432080, 31373, 337}, {46182444, 31036, 331}, {45935478, 30705, 326},
    {45691141, 30379, 320},  {45449390, 30059, 316}, {45210183, 29743, 310}, {44973479, 29432, 305},
    {44739242, 29127, 302},  {44507434, 28826, 297}, {44278014, 28529, 291}, {44050946, 28237, 287},
    {43826197, 27950, 283},  {43603728, 27667, 279}, {43383508, 27388, 274}, {43165501, 27114, 271},
    {42949673, 26843, 266},  {42735993, 26577, 263}, {42524428, 26314, 258}, {42314948, 26056, 256},
    {42107523, 25801, 251},  {41902120, 25550, 248}, {41698712, 25302, 243}, {41497268, 25058, 240},
    {41297762, 24818, 237},  {41100166, 24581, 233}, {40904451, 24348, 231}, {40710591, 24117, 226},
    {40518559, 23890, 223},  {40328331, 23667, 222}, {40139881, 23446, 218}, {39953184, 23228, 214},
    {39768216, 23014, 212},  {39584953, 22802, 208}, {39403369, 22593, 205}, {39223446, 22388, 204},
    {39045157, 22184, 199},  {38868482, 21984, 197}, {38693399, 21787, 196}, {38519886, 21592, 193},
    {38347922, 21399, 189},  {38177487, 21209, 186}, {38008561, 21022, 184}, {37841121, 20837, 182},
    {37675152, 20655, 180},  {37510631, 20475, 178}, {37347541, 20297, 175}, {37185864, 20122, 173},
    {37025580, 19949, 171},  {36866671, 19778, 169}, {36709122, 19609, 166}, {36552913, 19443, 165},
    {36398028, 19278, 161},  {36244450, 19116, 160}, {36092162, 18956, 159}, {35941149, 18797, 155},
    {35791394, 18641, 154},  {35642882, 18487, 153}, {35495597, 18334, 150}, {35349526, 18184, 149},
    {35204650, 18035, 147},  {35060957, 17888, 145}, {34918434, 17743, 143}, {34777062, 17600, 143},
    {34636833, 17458, 140},  {34497730, 17318, 138}, {34359739, 17180, 137}, {34222847, 17043, 135},
    {34087042, 16908, 133},  {33952311, 16775, 132}, {33818639, 16643, 131}, {33686017, 16513, 130},
}};

/// Returns x * x in units of 2^17, where x has 16 bits. The last bits of the partial products are cut off.
/// envytools (nvhw/sfu.c) found on older GPUs that the unit squares in this way.
constexpr std::uint32_t cut_square(std::uint32_t x) {
    std::uint32_t sum = 0;
    for (unsigned bit = 0; bit < 16; ++bit)
        if ((x >> bit & 1U) != 0) sum += x >> (16 - bit);
    return sum >> 1U;
}

}  // namespace detail

/// 1/x, within one unit in the last place. A subnormal x counts as 0, and a subnormal result becomes 0.
inline float reciprocal(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits & 0x80000000U;
    const std::uint32_t exponent = bits >> 23U & 255U;
    const std::uint32_t fraction = bits & 0x7fffffU;
    constexpr std::uint32_t infinite = 255;
    if (exponent == 0) return std::bit_cast<float>(sign | infinite << 23U);
    if (exponent == infinite)
        return fraction == 0 ? std::bit_cast<float>(sign) : std::bit_cast<float>(0x7fffffffU);
    const detail::Parabola& near = detail::reciprocals[fraction >> 16U];
    const std::uint32_t beyond = fraction & 0xffffU;
    constexpr std::int64_t rounding = 0x47e7;
    const std::int64_t sum = (std::int64_t{near.value} << 13U) - std::int64_t{near.fall} * beyond +
                             std::int64_t{near.bend} * detail::cut_square(beyond) + rounding;
    // The result, from 1/2 to 1, in units of 2^-24.
    const auto result = static_cast<std::uint32_t>(sum >> 15U);
    const std::uint32_t is_one = result >> 24U;
    const std::uint32_t new_exponent = 253 - exponent + is_one;
    if (static_cast<std::int32_t>(new_exponent) <= 0) return std::bit_cast<float>(sign);
    return std::bit_cast<float>(sign | new_exponent << 23U | (is_one != 0 ? 0 : result & 0x7fffffU));
}

}  // namespace cudabook::texture_unit
