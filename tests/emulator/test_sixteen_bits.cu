// half, bfloat16 and their pairs, compared with sums, products and quotients of integers that a loop has
// rounded.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::all_lanes;

class CudaSixteenBits : public test::Gpu {};

// ----- What is expected

__extension__ using Integer = __int128;

struct Kind {
    int precision;
    int least_exponent;
    unsigned largest;
};
constexpr Kind half_kind{11, -14, 0x7bff};
constexpr Kind bfloat_kind{8, -126, 0x7f7f};

template <class Number>
constexpr Kind kind_of = half_kind;
template <>
constexpr Kind kind_of<__nv_bfloat16> = bfloat_kind;

/// value * 2^exponent
struct Exact {
    Integer value;
    int exponent;
};

Exact exact(long double value) {
    if (value == 0) return {0, 0};
    int exponent = 0;
    const long double fraction = std::frexp(value, &exponent);
    return {static_cast<Integer>(std::ldexp(fraction, 64)), exponent - 64};
}

bool is_nan(const Kind& kind, unsigned bits) { return (bits & 0x7fff) > kind.largest + 1; }
bool is_finite(const Kind& kind, unsigned bits) { return (bits & 0x7fff) <= kind.largest; }

/// The finite number's value.
Exact exact_of_bits(const Kind& kind, unsigned bits) {
    const int stored = kind.precision - 1;
    const int exponent = static_cast<int>(bits & 0x7fff) >> stored;
    int value = static_cast<int>(bits & ((1U << stored) - 1));
    if (exponent > 0) value += 1 << stored;
    return {(bits & 0x8000) != 0 ? -value : value, kind.least_exponent - stored + std::max(exponent - 1, 0)};
}
double number(const Kind& kind, unsigned bits) {
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (is_nan(kind, bits)) return NAN;
    if (!is_finite(kind, bits)) return sign * INFINITY;
    const Exact value = exact_of_bits(kind, bits);
    return std::copysign(std::ldexp(static_cast<double>(value.value), value.exponent), sign);
}

/// Returns the bits of the rounded number. Direction 0 is to nearest, 1 towards zero, 2 down, 3 up.
unsigned rounded_bits(const Kind& kind, const Exact& exact, int direction = 0) {
    const bool negative = exact.value < 0;
    const Integer magnitude = negative ? -exact.value : exact.value;
    const unsigned sign = negative ? 0x8000 : 0;
    // The exponent of the last place, at first that of subnormal numbers.
    int unit = kind.least_exponent - (kind.precision - 1);
    int raised = 0;
    const auto in_units = [&](int at) {
        const int shift = at - exact.exponent;
        return shift <= 0 ? magnitude << -shift : shift > 126 ? 0 : magnitude >> shift;
    };
    while (unit < exact.exponent || in_units(unit) >= Integer{1} << kind.precision) {
        ++unit;
        ++raised;
        if (raised > 400) return sign | (kind.largest + 1);
    }
    // The exponent may be too high now, if the number has few bits.
    while (raised > 0 && in_units(unit) < Integer{1} << (kind.precision - 1)) {
        --unit;
        --raised;
    }
    const Integer kept = in_units(unit);
    const int shift = unit - exact.exponent;
    Integer rest = 0;
    Integer half = 1;
    if (shift > 0 && shift <= 125) {
        rest = magnitude - (kept << shift);
        half = Integer{1} << (shift - 1);
    } else if (shift > 0 && magnitude != 0) {
        rest = 1;
        half = 2;
    }
    const bool up = direction == 0 ? rest > half || (rest == half && kept % 2 == 1)
                                   : rest != 0 && direction == (negative ? 2 : 3);
    auto bits =
        static_cast<unsigned>(kept) + (up ? 1 : 0) + (static_cast<unsigned>(raised) << (kind.precision - 1));
    const bool beyond = direction == 0 || direction == (negative ? 2 : 3);
    bits = std::min(bits, kind.largest + (beyond ? 1 : 0));
    return sign | bits;
}

/// x y + z, rounded to nearest. If the sum is 0 or not finite, the result in float gives its sign and kind.
unsigned fused(const Kind& kind, unsigned x, unsigned y, unsigned z) {
    const auto in_float = static_cast<float>(number(kind, x) * number(kind, y) + number(kind, z));
    if (std::isnan(in_float)) return 0x7fff;
    if (!is_finite(kind, x) || !is_finite(kind, y) || !is_finite(kind, z))
        return (in_float < 0 ? 0x8000U : 0) | (kind.largest + 1);
    const Exact a = exact_of_bits(kind, x);
    const Exact b = exact_of_bits(kind, y);
    Exact product{a.value * b.value, a.exponent + b.exponent};
    Exact sum = exact_of_bits(kind, z);
    // A far smaller number is made larger, so that the sum fits: it only decides the direction of rounding.
    if (product.value == 0) product.exponent = sum.exponent;
    if (sum.value == 0) sum.exponent = product.exponent;
    product.exponent = std::max(product.exponent, sum.exponent - 60);
    sum.exponent = std::max(sum.exponent, product.exponent - 60);
    const int exponent = std::min(product.exponent, sum.exponent);
    sum.value = (sum.value << (sum.exponent - exponent)) + (product.value << (product.exponent - exponent));
    if (sum.value == 0) return std::signbit(in_float) ? 0x8000 : 0;
    return rounded_bits(kind, {sum.value, exponent});
}

unsigned one(const Kind& kind) {
    return static_cast<unsigned>(-kind.least_exponent + 1) << (kind.precision - 1);
}

unsigned quotient(const Kind& kind, unsigned x, unsigned y) {
    const double in_double = number(kind, x) / number(kind, y);
    if (std::isnan(in_double)) return 0x7fff;
    if (std::isinf(in_double)) return (in_double < 0 ? 0x8000U : 0) | (kind.largest + 1);
    if (in_double == 0) return std::signbit(in_double) ? 0x8000 : 0;
    const Exact a = exact_of_bits(kind, x);
    const Exact b = exact_of_bits(kind, y);
    const Integer shifted = a.value << 100;
    Integer value = shifted / b.value * 2;  // towards zero
    if (shifted % b.value != 0) value += (a.value < 0) != (b.value < 0) ? -1 : 1;
    return rounded_bits(kind, {value, a.exponent - b.exponent - 101});
}

unsigned root(const Kind& kind, unsigned x) {
    const double value = number(kind, x);
    if (value != value || value < 0) return 0x7fff;
    if (value == 0 || std::isinf(value)) return x;
    return rounded_bits(kind, exact(std::sqrt(static_cast<long double>(value))));
}

unsigned saturated(const Kind& kind, unsigned bits) {
    if (is_nan(kind, bits) || (bits & 0x8000) != 0) return 0;
    return std::min(bits, one(kind));
}

unsigned relu(const Kind& kind, unsigned bits) {
    return is_nan(kind, bits) ? 0x7fff : (bits & 0x8000) != 0 ? 0 : bits;
}

/// A key whose order is that of the numbers, with -0 before +0.
int order(unsigned bits) {
    return (bits & 0x8000) != 0 ? -static_cast<int>(bits & 0x7fff) - 1 : static_cast<int>(bits);
}

unsigned extreme(const Kind& kind, unsigned x, unsigned y, bool most, bool keeps_nan) {
    const bool first = is_nan(kind, x);
    const bool second = is_nan(kind, y);
    if ((first && second) || (keeps_nan && (first || second))) return 0x7fff;
    if (first || second) return first ? y : x;
    return (order(x) > order(y)) == most ? x : y;
}

// ----- Arithmetic

constexpr int results = 24;

template <class Number>
__device__ Number from_bits(unsigned bits);
template <>
__device__ __half from_bits<__half>(unsigned bits) {
    return __ushort_as_half(static_cast<unsigned short>(bits));
}
template <>
__device__ __nv_bfloat16 from_bits<__nv_bfloat16>(unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
__device__ unsigned to_bits(__half x) { return __hisnan(x) ? 0x7fff : __half_as_ushort(x); }
[[maybe_unused]] __device__ unsigned to_bits(__nv_bfloat16 x) {
    return __hisnan(x) ? 0x7fff : __bfloat16_as_ushort(x);
}
__device__ __half2 pair(__half x, __half y) { return __halves2half2(x, y); }
__device__ __nv_bfloat162 pair(__nv_bfloat16 x, __nv_bfloat16 y) { return __halves2bfloat162(x, y); }

// Below compute capability 8.0, bfloat16 lacks some of the functions.
constexpr int capability_of_all = 80;
template <class Number>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr bool has_all = std::is_same_v<Number, __half>;
#else
constexpr bool has_all = true;
#endif

template <class Number>
__device__ void do_arithmetic(const unsigned* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const Number x = from_bits<Number>(from[3 * i]);
    const Number y = from_bits<Number>(from[3 * i + 1]);
    const Number z = from_bits<Number>(from[3 * i + 2]);
    unsigned* const mine = to + results * i;
    const Number single[results] = {__hadd(x, y),
                                    __hsub(x, y),
                                    __hmul(x, y),
                                    __hdiv(x, y),
                                    __hfma(x, y, z),
                                    __hadd_sat(x, y),
                                    __hsub_sat(x, y),
                                    __hmul_sat(x, y),
                                    __hfma_sat(x, y, z),
                                    __hfma_relu(x, y, z),
                                    __hmax(x, y),
                                    __hmin(x, y),
                                    __hmax_nan(x, y),
                                    __hmin_nan(x, y),
                                    __hneg(x),
                                    __habs(x),
                                    __hadd_rn(x, y),
                                    __hsub_rn(x, y),
                                    __hmul_rn(x, y),
                                    hrint(x),
                                    hceil(x),
                                    hfloor(x),
                                    htrunc(x),
                                    x};
    for (int n = 0; n < results; ++n) mine[n] = to_bits(single[n]);
    // Pairs and operators must give the same results.
    const auto a = pair(x, y);
    const auto b = pair(y, x);
    const auto c = pair(z, z);
    const decltype(__hadd2(a, b)) pairs[results] = {__hadd2(a, b),
                                                    __hsub2(a, b),
                                                    __hmul2(a, b),
                                                    __h2div(a, b),
                                                    __hfma2(a, b, c),
                                                    __hadd2_sat(a, b),
                                                    __hsub2_sat(a, b),
                                                    __hmul2_sat(a, b),
                                                    __hfma2_sat(a, b, c),
                                                    __hfma2_relu(a, b, c),
                                                    __hmax2(a, b),
                                                    __hmin2(a, b),
                                                    __hmax2_nan(a, b),
                                                    __hmin2_nan(a, b),
                                                    __hneg2(a),
                                                    __habs2(a),
                                                    __hadd2_rn(a, b),
                                                    __hsub2_rn(a, b),
                                                    __hmul2_rn(a, b),
                                                    h2rint(a),
                                                    h2ceil(a),
                                                    h2floor(a),
                                                    h2trunc(a),
                                                    a};
    bool same = true;
    for (int n = 0; n < results; ++n) same = same && to_bits(pairs[n].x) == mine[n];
    const Number second = __hsub(y, x);
    same = same && to_bits(pairs[1].y) == to_bits(second) && to_bits(y - x) == to_bits(second);
    same = same && to_bits(x + y) == mine[0] && to_bits(x * y) == mine[2] && to_bits(x / y) == mine[3];
    same = same && to_bits((a + b).x) == mine[0] && to_bits((a * b).x) == mine[2] &&
           to_bits((a / b).x) == mine[3];
    Number sum = x;
    sum += y;
    same = same && to_bits(sum) == mine[0] && to_bits(-x) == mine[14];
    if (!same) mine[results - 1] = ~0U;
}
template <class Number>
__global__ void arithmetic(const unsigned* from, unsigned* to) {
    if constexpr (has_all<Number>) do_arithmetic<Number>(from, to);
}

template <class Number>
std::vector<unsigned> arguments(std::size_t count) {
    constexpr Kind kind = kind_of<Number>;
    const unsigned special[] = {0,
                                1,
                                2,
                                (1U << (kind.precision - 1)) - 1,
                                1U << (kind.precision - 1),
                                kind.largest,
                                kind.largest + 1,
                                0x7fff,
                                one(kind),
                                one(kind) + 1,
                                one(kind) - 1};
    std::vector<unsigned> numbers(count);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        unsigned bits = state >> 16;
        if (state / 256 % 8 == 0)
            bits = special[bits % std::size(special)] | (state & 0x8000);
        else if (state / 256 % 8 < 4)
            bits = (one(kind) + bits % (8U << (kind.precision - 1)) - (4U << (kind.precision - 1))) |
                   (state & 0x8000);
        numbers[i] = bits & 0xffff;
    }
    return numbers;
}

unsigned integral(const Kind& kind, unsigned bits, double value) {
    if (is_nan(kind, bits)) return 0x7fff;
    if (std::isinf(value)) return bits;
    return value == 0 ? bits & 0x8000 : rounded_bits(kind, exact(value));
}

template <class Number>
void expect_arithmetic() {
    constexpr Kind kind = kind_of<Number>;
    constexpr std::size_t threads = 1024 * 256;
    const std::vector<unsigned> from = arguments<Number>(3 * threads);
    const DeviceArray<unsigned> input{std::span<const unsigned>(from)};
    const DeviceArray<unsigned> output(results * threads);
    launch(arithmetic<Number>, threads / 256, 256, Stream(), input.data(), output.data());
    const std::vector<unsigned> got = output.download();
    for (std::size_t i = 0; i < threads; ++i) {
        const unsigned x = from[3 * i];
        const unsigned y = from[3 * i + 1];
        const unsigned z = from[3 * i + 2];
        const double value = number(kind, x);
        const unsigned sum = fused(kind, x, one(kind), y);
        const unsigned difference = fused(kind, x, one(kind), y ^ 0x8000);
        // A product that is 0 has the sign of the product of the factors' signs.
        const unsigned product = fused(kind, x, y, (x ^ y) & 0x8000);
        const unsigned fma = fused(kind, x, y, z);
        const auto canonical = [&](unsigned bits) { return is_nan(kind, bits) ? 0x7fff : bits; };
        const std::array<unsigned, results> expected = {sum,
                                                        difference,
                                                        product,
                                                        quotient(kind, x, y),
                                                        fma,
                                                        saturated(kind, sum),
                                                        saturated(kind, difference),
                                                        saturated(kind, product),
                                                        saturated(kind, fma),
                                                        relu(kind, fma),
                                                        extreme(kind, x, y, true, false),
                                                        extreme(kind, x, y, false, false),
                                                        extreme(kind, x, y, true, true),
                                                        extreme(kind, x, y, false, true),
                                                        canonical(x ^ 0x8000),
                                                        canonical(x & 0x7fff),
                                                        sum,
                                                        difference,
                                                        product,
                                                        integral(kind, x, std::nearbyint(value)),
                                                        integral(kind, x, std::ceil(value)),
                                                        integral(kind, x, std::floor(value)),
                                                        integral(kind, x, std::trunc(value)),
                                                        canonical(x)};
        for (std::size_t n = 0; n < results; ++n)
            ASSERT_EQ(got[results * i + n], expected[n])
                << "result " << n << " of " << std::hex << x << ", " << y << ", " << z;
    }
}

TEST_F(CudaSixteenBits, HalfArithmetic) { expect_arithmetic<__half>(); }
TEST_F(CudaSixteenBits, Bfloat16Arithmetic) {
    if (capability_of_device() < capability_of_all) GTEST_SKIP() << "bfloat16 lacks some of the functions";
    expect_arithmetic<__nv_bfloat16>();
}

/// In some sums, only the smallest part decides that the sum is not halfway: rounding twice would be wrong.
TEST_F(CudaSixteenBits, ExpectedValues) {
    EXPECT_EQ(fused(half_kind, 0x3c00, 0x3c00, 0x1000), 0x3c00U);  // 1 + 2^-11, a tie
    EXPECT_EQ(fused(half_kind, 0x3c01, 0x3c00, 0x1000), 0x3c02U);  // a tie, to even
    EXPECT_EQ(fused(half_kind, 0x0001, 0x0001, 0x7bff), 0x7bffU);
    EXPECT_EQ(fused(half_kind, 0x7bff, 0x4000, 0), 0x7c00U);
    EXPECT_EQ(fused(bfloat_kind, 0x3f80, 0x3f80, 0x3b80), 0x3f80U);  // 1 + 2^-8
    EXPECT_EQ(fused(bfloat_kind, 0x0001, 0x0001, 0x0001), 0x0001U);
    EXPECT_EQ(quotient(half_kind, 0x3c00, 0x4200), 0x3555U);  // 1/3
    EXPECT_EQ(rounded_bits(half_kind, {1, -26}, 3), 1U);
    EXPECT_EQ(rounded_bits(half_kind, {65535, 0}, 1), 0x7bffU);
}

// ----- Comparisons

template <class Number>
__global__ void comparisons(const unsigned* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const Number x = from_bits<Number>(from[3 * i]);
    const Number y = from_bits<Number>(from[3 * i + 1]);
    const Number z = from_bits<Number>(from[3 * i + 2]);
    const auto a = pair(x, z);
    const auto b = pair(y, y);
    unsigned result = 0;
    unsigned both = 0;
    bool same = true;
    int n = 0;
    const auto add = [&](bool single, bool second, bool of_both, unsigned mask, auto numbers) {
        result |= (single ? 1U : 0U) << n;
        both |= (of_both ? 1U : 0U) << n;
        same = same && mask == ((single ? 0xffffU : 0U) | (second ? 0xffff0000U : 0U)) &&
               __low2float(numbers) == (single ? 1 : 0) && __high2float(numbers) == (second ? 1 : 0);
        ++n;
    };
#define COMPARED(name) \
    add(__h##name(x, y), __h##name(z, y), __hb##name##2(a, b), __h##name##2_mask(a, b), __h##name##2(a, b));
    COMPARED(eq)
    COMPARED(ne)
    COMPARED(lt)
    COMPARED(le)
    COMPARED(gt)
    COMPARED(ge)
    COMPARED(equ)
    COMPARED(neu)
    COMPARED(ltu)
    COMPARED(leu)
    COMPARED(gtu)
    COMPARED(geu)
#undef COMPARED
    same = same && (x == y) == __heq(x, y) && (x != y) == __hneu(x, y) && (x < y) == __hlt(x, y) &&
           (x >= y) == __hge(x, y) && (a == b) == __hbeq2(a, b) && (a != b) == __hbneu2(a, b);
    result |= (__hisnan(x) ? 1U : 0U) << 12 | static_cast<unsigned>(__hisinf(x) + 1) << 13;
    to[2 * i] = same ? result : ~0U;
    to[2 * i + 1] = both;
}

/// The bits that comparisons() gives for x and y.
unsigned compared(double x, double y) {
    const bool less = x < y;
    const bool greater = x > y;
    const bool equal = x == y;
    const bool unordered = !less && !greater && !equal;
    const bool results_in_order[] = {equal,
                                     less || greater,
                                     less,
                                     less || equal,
                                     greater,
                                     greater || equal,
                                     equal || unordered,
                                     !equal,
                                     less || unordered,
                                     !greater,
                                     greater || unordered,
                                     !less};
    unsigned result = 0;
    for (unsigned n = 0; n < 12; ++n) result |= (results_in_order[n] ? 1U : 0U) << n;
    return result;
}

template <class Number>
void expect_comparisons() {
    constexpr Kind kind = kind_of<Number>;
    constexpr std::size_t threads = 256 * 256;
    std::vector<unsigned> from = arguments<Number>(3 * threads);
    for (std::size_t i = 0; i < threads; i += 3) from[3 * i + 1] = from[3 * i];
    const DeviceArray<unsigned> input{std::span<const unsigned>(from)};
    const DeviceArray<unsigned> output(2 * threads);
    launch(comparisons<Number>, threads / 256, 256, Stream(), input.data(), output.data());
    const std::vector<unsigned> got = output.download();
    for (std::size_t i = 0; i < threads; ++i) {
        const double x = number(kind, from[3 * i]);
        const double y = number(kind, from[3 * i + 1]);
        const double z = number(kind, from[3 * i + 2]);
        const unsigned infinite = std::isinf(x) ? (x > 0 ? 2 : 0) : 1;
        ASSERT_EQ(got[2 * i], compared(x, y) | (x != x ? 1U : 0U) << 12 | infinite << 13) << x << " " << y;
        ASSERT_EQ(got[2 * i + 1], compared(x, y) & compared(z, y)) << x << " " << y << " " << z;
    }
}

TEST_F(CudaSixteenBits, HalfComparisons) { expect_comparisons<__half>(); }
TEST_F(CudaSixteenBits, Bfloat16Comparisons) { expect_comparisons<__nv_bfloat16>(); }

// ----- Conversions

template <class Number>
__device__ void float_conversions(unsigned short* to, float x, double d);
template <class Number>
__device__ void integer_conversions(unsigned short* to, unsigned long long x);
template <class Number>
__device__ void conversions_to_integers(unsigned long long* to, Number x);

#define CONVERSIONS(Number, name)                                                                 \
    template <>                                                                                   \
    __device__ void float_conversions<Number>(unsigned short* to, float x, double d) {            \
        to[0] = __##name##_as_ushort(__float2##name##_rn(x));                                     \
        to[1] = __##name##_as_ushort(__float2##name##_rz(x));                                     \
        to[2] = __##name##_as_ushort(__float2##name##_rd(x));                                     \
        to[3] = __##name##_as_ushort(__float2##name##_ru(x));                                     \
        to[4] = __##name##_as_ushort(__float2##name(x));                                          \
        to[5] = __##name##_as_ushort(__double2##name(d));                                         \
        to[6] = __##name##_as_ushort(__low2##name(__floats2##name##2_rn(x, 1.0F)));               \
        to[7] = __##name##_as_ushort(__high2##name(__float22##name##2_rn(make_float2(1.0F, x)))); \
    }                                                                                             \
    template <>                                                                                   \
    __device__ void integer_conversions<Number>(unsigned short* to, unsigned long long x) {       \
        OF_INTEGERS(0, name, n)                                                                   \
        OF_INTEGERS(1, name, z)                                                                   \
        OF_INTEGERS(2, name, d)                                                                   \
        OF_INTEGERS(3, name, u)                                                                   \
    }                                                                                             \
    template <>                                                                                   \
    __device__ void conversions_to_integers<Number>(unsigned long long* to, Number x) {           \
        TO_INTEGERS(0, name, n)                                                                   \
        TO_INTEGERS(1, name, z)                                                                   \
        TO_INTEGERS(2, name, d)                                                                   \
        TO_INTEGERS(3, name, u)                                                                   \
        to[24] = static_cast<unsigned long long>(__##name##2char_rz(x));                          \
        to[25] = __##name##2uchar_rz(x);                                                          \
    }
#define OF_INTEGERS(n, name, letter)                                                                     \
    to[6 * (n)] = __##name##_as_ushort(__short2##name##_r##letter(static_cast<short>(x)));               \
    to[6 * (n) + 1] = __##name##_as_ushort(__ushort2##name##_r##letter(static_cast<unsigned short>(x))); \
    to[6 * (n) + 2] = __##name##_as_ushort(__int2##name##_r##letter(static_cast<int>(x)));               \
    to[6 * (n) + 3] = __##name##_as_ushort(__uint2##name##_r##letter(static_cast<unsigned>(x)));         \
    to[6 * (n) + 4] = __##name##_as_ushort(__ll2##name##_r##letter(static_cast<long long>(x)));          \
    to[6 * (n) + 5] = __##name##_as_ushort(__ull2##name##_r##letter(x));
#define TO_INTEGERS(n, name, letter)                                                \
    to[6 * (n)] = static_cast<unsigned long long>(__##name##2short_r##letter(x));   \
    to[6 * (n) + 1] = __##name##2ushort_r##letter(x);                               \
    to[6 * (n) + 2] = static_cast<unsigned long long>(__##name##2int_r##letter(x)); \
    to[6 * (n) + 3] = __##name##2uint_r##letter(x);                                 \
    to[6 * (n) + 4] = static_cast<unsigned long long>(__##name##2ll_r##letter(x));  \
    to[6 * (n) + 5] = __##name##2ull_r##letter(x);
CONVERSIONS(__half, half)
CONVERSIONS(__nv_bfloat16, bfloat16)
#undef TO_INTEGERS
#undef OF_INTEGERS
#undef CONVERSIONS

template <class Number>
__global__ void from_floats(const double* from, unsigned short* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    float_conversions<Number>(to + 8 * i, static_cast<float>(from[i]), from[i]);
}
template <class Number>
__global__ void from_integers(const unsigned long long* from, unsigned short* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    integer_conversions<Number>(to + 24 * i, from[i]);
}
template <class Number>
__global__ void to_integers(unsigned long long* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    conversions_to_integers<Number>(to + 26 * i, from_bits<Number>(i));
}

template <class Number>
void expect_conversions_of_floats() {
    constexpr Kind kind = kind_of<Number>;
    constexpr std::size_t threads = 1024 * 256;
    std::vector<double> from(threads);
    std::uint64_t state = 7;
    for (std::size_t i = 0; i < threads; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        // A number at or near a number of the kind, or at or near the middle between two.
        const auto bits = static_cast<unsigned>(state >> 48) % (kind.largest + 1);
        const double low = number(kind, bits);
        const double high =
            bits == kind.largest ? low + low - number(kind, bits - 1) : number(kind, bits + 1);
        const double part[] = {0,    0.5,     0.5 + 0x1p-10, 0.5 - 0x1p-10,
                               0.25, 0x1p-12, 1 - 0x1p-12,   0.5 + 0x1p-40};
        from[i] = (low + (high - low) * part[state >> 40 & 7]) * ((state >> 32 & 1) != 0 ? -1 : 1);
    }
    from[0] = 0;
    from[1] = -0.0;
    from[2] = INFINITY;
    from[3] = -INFINITY;
    from[4] = 1e38;
    from[5] = -1e38;
    from[6] = 0x1p-149;
    from[7] = -0x1p-149;
    const DeviceArray<double> input{std::span<const double>(from)};
    const DeviceArray<unsigned short> output(8 * threads);
    launch(from_floats<Number>, threads / 256, 256, Stream(), input.data(), output.data());
    const std::vector<unsigned short> got = output.download();
    for (std::size_t i = 0; i < 8 * threads; ++i) {
        const double value = i % 8 == 5 ? from[i / 8] : static_cast<double>(static_cast<float>(from[i / 8]));
        unsigned expected = (std::signbit(value) ? 0x8000U : 0) | (std::isinf(value) ? kind.largest + 1 : 0);
        if (value != 0 && !std::isinf(value))
            expected = rounded_bits(kind, exact(value), i % 8 < 4 ? static_cast<int>(i % 8) : 0);
        ASSERT_EQ(got[i], expected) << i % 8 << " of " << std::hexfloat << value;
    }
}

TEST_F(CudaSixteenBits, FloatsToHalf) { expect_conversions_of_floats<__half>(); }
TEST_F(CudaSixteenBits, FloatsToBfloat16) { expect_conversions_of_floats<__nv_bfloat16>(); }

template <class Number>
void expect_conversions_of_integers() {
    constexpr Kind kind = kind_of<Number>;
    constexpr std::size_t threads = 128 * 256;
    std::vector<unsigned long long> from(threads);
    std::uint64_t state = 9;
    for (std::size_t i = 0; i < threads; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        from[i] = (state ^ state << 20) >> i % 64;
        if (i % 5 == 0) from[i] = (from[i] & 0xff00000000000000) >> i % 61 | (i % 3 == 0 ? 1 : 0);
        if (i % 7 == 0) from[i] = 0 - from[i];
    }
    const DeviceArray<unsigned long long> input{std::span<const unsigned long long>(from)};
    const DeviceArray<unsigned short> output(24 * threads);
    launch(from_integers<Number>, threads / 256, 256, Stream(), input.data(), output.data());
    const std::vector<unsigned short> got = output.download();
    for (std::size_t i = 0; i < 24 * threads; ++i) {
        const unsigned long long x = from[i / 24];
        const Integer values[] = {static_cast<short>(x),     static_cast<unsigned short>(x),
                                  static_cast<int>(x),       static_cast<unsigned>(x),
                                  static_cast<long long>(x), x};
        ASSERT_EQ(got[i], rounded_bits(kind, {values[i % 6], 0}, static_cast<int>(i / 6 % 4)))
            << i % 6 << ", direction " << i / 6 % 4 << ", of " << x;
    }
}

TEST_F(CudaSixteenBits, IntegersToHalf) { expect_conversions_of_integers<__half>(); }
TEST_F(CudaSixteenBits, IntegersToBfloat16) { expect_conversions_of_integers<__nv_bfloat16>(); }

template <class T>
unsigned long long clamped(double integral) {
    if (integral != integral) return sizeof(T) == 8 ? 1ULL << 63 : 0;
    const auto least = static_cast<double>(std::numeric_limits<T>::min());
    const auto most = static_cast<double>(std::numeric_limits<T>::max());  // with 64 bits, rounded up by 1
    if (integral <= least) return static_cast<unsigned long long>(std::numeric_limits<T>::min());
    if (integral >= most) return static_cast<unsigned long long>(std::numeric_limits<T>::max());
    return static_cast<unsigned long long>(static_cast<T>(integral));
}

template <class Number>
void expect_integers() {
    constexpr Kind kind = kind_of<Number>;
    const DeviceArray<unsigned long long> output(26 * 65536);
    launch(to_integers<Number>, 256, 256, Stream(), output.data());
    const std::vector<unsigned long long> got = output.download();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double x = number(kind, static_cast<unsigned>(i / 26));
        const std::size_t n = i % 26;
        if (n >= 24) {
            ASSERT_EQ(got[i],
                      n == 24 ? clamped<signed char>(std::trunc(x)) : clamped<unsigned char>(std::trunc(x)));
            continue;
        }
        const double integral_values[] = {std::nearbyint(x), std::trunc(x), std::floor(x), std::ceil(x)};
        const double integral = integral_values[n / 6];
        const unsigned long long expected[] = {
            clamped<short>(integral),     clamped<unsigned short>(integral),
            clamped<int>(integral),       clamped<unsigned>(integral),
            clamped<long long>(integral), clamped<unsigned long long>(integral)};
        ASSERT_EQ(got[i], expected[n % 6]) << n << " of " << x;
    }
}

TEST_F(CudaSixteenBits, HalfToIntegers) { expect_integers<__half>(); }
TEST_F(CudaSixteenBits, Bfloat16ToIntegers) { expect_integers<__nv_bfloat16>(); }

// ----- Roots, and other threads

template <class Number>
__global__ void roots(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    to[i] = to_bits(hsqrt(from_bits<Number>(i)));
}

/// A GPU's roots of halves are rounded to nearest.
TEST_F(CudaSixteenBits, SquareRoots) {
    const DeviceArray<unsigned> output(65536);
    launch(roots<__half>, 256, 256, Stream(), output.data());
    const std::vector<unsigned> got = output.download();
    for (unsigned i = 0; i < 65536; ++i) ASSERT_EQ(got[i], root(half_kind, i)) << i;
}

template <class Number>
__global__ void sums_and_shuffles(Number* sums, unsigned* shuffled) {
    const Number mine = static_cast<Number>(static_cast<float>(threadIdx.x % 4));
    const auto both = pair(mine, -mine);
    atomicAdd(sums, mine);
    auto* const pairs = reinterpret_cast<std::remove_const_t<decltype(both)>*>(sums + 2);
    atomicAdd(pairs, both);
    const Number other = __shfl_xor_sync(all_lanes, mine, 1);
    const auto up = __shfl_up_sync(all_lanes, both, 2);
    const auto down = __shfl_down_sync(all_lanes, both, 1, 16);
    const Number first = __shfl_sync(all_lanes, mine, 3, 8);
    shuffled[threadIdx.x] = static_cast<unsigned>(static_cast<int>(static_cast<float>(other))) +
                            10 * static_cast<unsigned>(static_cast<int>(__low2float(up))) +
                            100 * static_cast<unsigned>(static_cast<int>(-__high2float(down))) +
                            1000 * static_cast<unsigned>(static_cast<int>(static_cast<float>(first)));
}

template <class Number>
void expect_sums_and_shuffles() {
    const DeviceArray<Number> sums(4);
    CUDA_CHECK(cudaMemset(sums.data(), 0, 4 * sizeof(Number)));
    const DeviceArray<unsigned> shuffled(64);
    launch(sums_and_shuffles<Number>, 1, 64, Stream(), sums.data(), shuffled.data());
    const std::vector<Number> sum = sums.download();
    EXPECT_EQ(static_cast<float>(sum[0]), 96);
    EXPECT_EQ(static_cast<float>(sum[2]), 96);
    EXPECT_EQ(static_cast<float>(sum[3]), -96);
    const std::vector<unsigned> got = shuffled.download();
    for (unsigned i = 0; i < 64; ++i) {
        const unsigned up = i % 32 < 2 ? i % 4 : (i - 2) % 4;
        const unsigned down = i % 16 == 15 ? i % 4 : (i + 1) % 4;
        EXPECT_EQ(got[i], (i ^ 1) % 4 + 10 * up + 100 * down + 3000) << i;
    }
}

TEST_F(CudaSixteenBits, HalfSumsAndShuffles) { expect_sums_and_shuffles<__half>(); }
TEST_F(CudaSixteenBits, Bfloat16SumsAndShuffles) { expect_sums_and_shuffles<__nv_bfloat16>(); }

template <class Number>
__device__ void do_complex_products(float* to) {
    const auto number_of = [](float x) { return static_cast<Number>(x); };
    const auto result = __hcmadd(pair(number_of(1), number_of(2)), pair(number_of(3), number_of(-4)),
                                 pair(number_of(10), number_of(0.5F)));
    to[0] = __low2float(result);
    to[1] = __high2float(result);
    Number counter = number_of(5);
    to[2] = static_cast<float>(counter++) + 10 * static_cast<float>(counter) +
            100 * static_cast<float>(--counter);
    const auto swapped = __lowhigh2highlow(result);
    to[3] = __low2float(swapped);
}
template <class Number>
__global__ void complex_products(float* to) {
    if constexpr (has_all<Number>) do_complex_products<Number>(to);
}

TEST_F(CudaSixteenBits, ComplexProducts) {
    const DeviceArray<float> output(4);
    launch(complex_products<__half>, 1, 1, Stream(), output.data());
    EXPECT_EQ(output.download(), (std::vector<float>{21, 2.5, 5 + 60 + 500, 2.5}));
    if (capability_of_device() < capability_of_all) GTEST_SKIP() << "bfloat16 lacks some of the functions";
    launch(complex_products<__nv_bfloat16>, 1, 1, Stream(), output.data());
    EXPECT_EQ(output.download(), (std::vector<float>{21, 2.5, 5 + 60 + 500, 2.5}));
}

}  // namespace
}  // namespace cudabook
