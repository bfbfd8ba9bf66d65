// Floating-point numbers of 8 bits, compared with the nearest of all 256.
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class CudaEightBits : public test::Gpu {};

/// The number's value. The bits of infinities and NaN are taken for those of larger finite numbers.
double value_of_eight_bits(bool is_e5m2, unsigned bits) {
    const unsigned fraction_bits = is_e5m2 ? 2 : 3;
    const int bias = is_e5m2 ? 15 : 7;
    const int exponent = static_cast<int>(bits & 0x7f) >> fraction_bits;
    const auto fraction = static_cast<double>(bits & ((1U << fraction_bits) - 1)) / (1 << fraction_bits);
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

/// The bits of the nearest positive number, even in a tie. The bits after the largest are a number too.
unsigned nearest_eight_bits(bool is_e5m2, double magnitude) {
    const unsigned last = is_e5m2 ? 0x7c : 0x7f;
    unsigned best = 0;
    for (unsigned bits = 1; bits <= last; ++bits) {
        const double distance = std::abs(value_of_eight_bits(is_e5m2, bits) - magnitude);
        const double least = std::abs(value_of_eight_bits(is_e5m2, best) - magnitude);
        if (distance < least || (distance == least && bits % 2 == 0)) best = bits;
    }
    return best;
}

template <class One, class Two, class Four, __nv_fp8_interpretation_t kind>
__global__ void eight_bits_of(const float* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const float x = from[i];
    unsigned* const mine = to + 8 * i;
    mine[0] = One(x).__x;
    mine[1] = __nv_cvt_float_to_fp8(x, __NV_NOSAT, kind);
    mine[2] = __nv_cvt_double_to_fp8(static_cast<double>(x), __NV_SATFINITE, kind);
    mine[3] = __nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(__float2half(x)), __NV_SATFINITE, kind);
    mine[4] = Two(make_float2(1.0F, x)).__x >> 8;
    mine[5] = Four(make_float4(1.0F, 2.0F, x, 4.0F)).__x >> 16 & 0xff;
    mine[6] = One(__float2bfloat16(x)).__x;
    mine[7] = Four(__float2half2_rn(1.0F), __floats2half2_rn(x, x)).__x >> 24;
}

template <class One, class Two, class Four, __nv_fp8_interpretation_t kind>
void expect_nearest_of_eight_bits() {
    constexpr bool is_e5m2 = kind == __NV_E5M2;
    std::vector<float> from;
    // All finite halves. (Result 6 is converted from bfloat16, which has fewer bits.)
    for (unsigned i = 0; i < 65536; ++i)
        from.push_back(
            __half2float(__ushort_as_half(static_cast<unsigned short>((i & 0x7fff) < 0x7c00 ? i : 0))));
    const DeviceArray<float> input{std::span<const float>(from)};
    const DeviceArray<unsigned> output(8 * from.size());
    launch(eight_bits_of<One, Two, Four, kind>, 256, 256, Stream(), input.data(), output.data());
    const std::vector<unsigned> got = output.download();
    const unsigned largest = is_e5m2 ? 0x7b : 0x7e;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const unsigned sign = std::signbit(from[i]) ? 0x80 : 0;
        const unsigned nearest = nearest_eight_bits(is_e5m2, std::abs(static_cast<double>(from[i])));
        const unsigned saturated = sign | (nearest > largest ? largest : nearest);
        ASSERT_EQ(got[8 * i], saturated) << from[i];
        if (nearest > largest && !is_e5m2)
            ASSERT_EQ(got[8 * i + 1] & 0x7f, 0x7fU) << from[i];  // NaN
        else
            ASSERT_EQ(got[8 * i + 1], sign | nearest) << from[i];
        for (const std::size_t n : {2, 3, 4, 5, 7})
            ASSERT_EQ(got[8 * i + n], saturated) << n << " of " << from[i];
        const float shorter = __bfloat162float(__float2bfloat16(from[i]));
        const unsigned of_shorter = nearest_eight_bits(is_e5m2, std::abs(static_cast<double>(shorter)));
        ASSERT_EQ(got[8 * i + 6], sign | (of_shorter > largest ? largest : of_shorter)) << from[i];
    }
}

TEST_F(CudaEightBits, E4m3) {
    expect_nearest_of_eight_bits<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3>();
}
TEST_F(CudaEightBits, E5m2) {
    expect_nearest_of_eight_bits<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2>();
}

template <class One, class Two, class Four, __nv_fp8_interpretation_t kind>
__global__ void values_of_eight_bits(float* to) {
    const unsigned i = threadIdx.x;
    One x;
    x.__x = static_cast<unsigned char>(i);
    Two two;
    two.__x = static_cast<unsigned short>(i << 8 | 1);
    Four four;
    four.__x = i << 24;
    float* const mine = to + 6 * i;
    mine[0] = static_cast<float>(x);
    mine[1] = __half2float(static_cast<__half>(x));
    mine[2] = static_cast<float2>(two).y;
    mine[3] = static_cast<float4>(four).w;
    mine[4] = __high2float(static_cast<__half2>(two));
    mine[5] = static_cast<float>(static_cast<int>(x)) + (static_cast<bool>(x) ? 0.5F : 0);
}

template <class One, class Two, class Four, __nv_fp8_interpretation_t kind>
void expect_values_of_eight_bits() {
    constexpr bool is_e5m2 = kind == __NV_E5M2;
    const DeviceArray<float> output(6 * 256);
    launch(values_of_eight_bits<One, Two, Four, kind>, 1, 256, Stream(), output.data());
    const std::vector<float> got = output.download();
    for (unsigned i = 0; i < 256; ++i) {
        double expected = value_of_eight_bits(is_e5m2, i);
        if (is_e5m2 ? (i & 0x7f) > 0x7c : (i & 0x7f) == 0x7f) expected = NAN;
        if (is_e5m2 && (i & 0x7f) == 0x7c) expected = std::copysign(INFINITY, expected);
        for (std::size_t n = 0; n < 5; ++n) {
            const double number = got[6 * i + n];
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(number)) << i;
            else
                EXPECT_EQ(number, expected) << i;
            if (expected == 0) {
                EXPECT_EQ(std::signbit(number), i >= 128);
            }
        }
        if (std::isfinite(expected)) {
            EXPECT_EQ(got[6 * i + 5], std::trunc(expected) + (expected != 0 ? 0.5F : 0)) << i;
        }
    }
}

TEST_F(CudaEightBits, E4m3Values) {
    expect_values_of_eight_bits<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3>();
}
TEST_F(CudaEightBits, E5m2Values) {
    expect_values_of_eight_bits<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2>();
}

__global__ void special_eight_bits(unsigned* to) {
    to[0] = __nv_fp8_e4m3(INFINITY).__x;
    to[1] = __nv_fp8_e5m2(-INFINITY).__x;
    to[2] = __nv_cvt_float_to_fp8(-INFINITY, __NV_NOSAT, __NV_E5M2);
    to[3] = __nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E4M3) & 0x7fU;
    to[4] = __nv_fp8_e4m3(1000000).__x;
    to[5] = __nv_fp8_e4m3(-3).__x;
    to[6] = __nv_fp8_e5m2(1e300).__x;
    to[7] = __nv_fp8_e4m3(NAN).__x & 0x7fU;
}

TEST_F(CudaEightBits, Specials) {
    const DeviceArray<unsigned> output(8);
    launch(special_eight_bits, 1, 1, Stream(), output.data());
    EXPECT_EQ(output.download(), (std::vector<unsigned>{0x7e, 0xfb, 0xfc, 0x7f, 0x7e, 0xc4, 0x7b, 0x7f}));
}

}  // namespace
}  // namespace cudabook
