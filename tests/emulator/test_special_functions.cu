// Special functions, compared with their inverses, other ways to compute them, and values of tables. On a
// GPU, the last bits may differ, for doubles by at most 8 units (says the CUDA C++ Programming Guide).
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class CudaSpecialFunctions : public test::Gpu {};

constexpr double units = 8 * std::numeric_limits<double>::epsilon();
constexpr float float_units = 8 * std::numeric_limits<float>::epsilon();

__global__ void special_functions(const double* from, double* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const double x = from[i];
    double* const mine = to + 10 * i;
    mine[0] = erfinv(tanh(x));
    mine[1] = erfcinv(exp(-fabs(x)));
    mine[2] = erfcx(x);
    mine[3] = normcdf(x);
    mine[4] = normcdfinv(normcdf(x));
    mine[5] = cyl_bessel_i0(x);
    mine[6] = cyl_bessel_i1(x);
    mine[7] = norm3d(x, 2 * x, -2 * x);
    mine[8] = rhypot(3 * x, 4 * x);
    mine[9] = rnorm4d(x, x, -x, x);
}

TEST_F(CudaSpecialFunctions, OfDoubles) {
    std::vector<double> from;
    for (int i = 0; i < 1024; ++i) from.push_back((i - 512) / 64.0 + 0x1p-20);
    const DeviceArray<double> input{std::span<const double>(from)};
    const DeviceArray<double> output(10 * from.size());
    launch(special_functions, 4, 256, Stream(), input.data(), output.data());
    const std::vector<double> got = output.download();
    for (std::size_t i = 0; i < from.size(); ++i) {
        const double x = from[i];
        const double* const mine = &got[10 * i];
        const auto expect_near = [&](double number, long double expected, double factor = 1) {
            EXPECT_NEAR(number, static_cast<double>(expected),
                        std::abs(static_cast<double>(expected)) * units * factor)
                << x;
        };
        // Where tanh(x) is nearly 1, it has too few bits for this comparison.
        if (std::abs(x) < 5) {
            const long double back = std::erf(static_cast<long double>(mine[0]));
            EXPECT_NEAR(static_cast<double>(back), std::tanh(x), std::abs(std::tanh(x)) * units) << x;
        }
        expect_near(static_cast<double>(std::erfc(static_cast<long double>(mine[1]))), std::exp(-std::abs(x)),
                    40);
        const long double exact = x;
        expect_near(mine[2], std::exp(exact * exact) * std::erfc(exact), 4);
        expect_near(mine[3], 0.5L * std::erfc(-exact / std::numbers::sqrt2_v<long double>));
        if (x < 3 && std::abs(x) > 0.1) expect_near(mine[4], x, 100);
        // The integral form of the Bessel functions, by a sum that is exact for periodic functions.
        long double first = 0;
        long double second = 0;
        for (int n = 0; n < 64; ++n) {
            const long double angle = std::numbers::pi_v<long double> * n / 32;
            first += std::exp(exact * std::cos(angle)) / 64;
            second += std::exp(exact * std::cos(angle)) * std::cos(angle) / 64;
        }
        expect_near(mine[5], first);
        expect_near(mine[6], second, std::abs(x) < 0.1 ? 1e4 : 4);
        expect_near(mine[7], 3 * std::abs(x));
        expect_near(mine[8], 0.2L / std::abs(exact));
        expect_near(mine[9], 0.5L / std::abs(exact));
    }
}

__global__ void tabulated(double* to) {
    to[0] = erfinv(0.5);
    to[1] = erfcinv(1e-10);
    to[2] = erfcx(100.0);
    to[3] = normcdf(-10.0);
    to[4] = normcdfinv(0.975);
    to[5] = cyl_bessel_i0(10.0);
    to[6] = cyl_bessel_i1(-1.0);
    to[7] = norm4d(1.0, 1.0, 1.0, 1.0);
    to[8] = norm3d(3e300, 4e300, 0.0);
    const double parts[] = {1, 2, 4, 10};
    to[9] = norm(4, parts);
    to[10] = rnorm(4, parts);
    to[11] = exp10(3.0);
    to[12] = sinpi(0.5) + cospi(1.0);
}

TEST_F(CudaSpecialFunctions, Tabulated) {
    const DeviceArray<double> output(13);
    launch(tabulated, 1, 1, Stream(), output.data());
    const std::vector<double> got = output.download();
    const double expected[] = {0.4769362762044699,
                               4.572824967389486,
                               0.005641613782989433,
                               7.619853024160527e-24,
                               1.959963984540054,
                               2815.716628466254,
                               -0.5651591039924851,
                               2,
                               5e300,
                               11,
                               1 / 11.0,
                               1000,
                               0};
    for (std::size_t i = 0; i < 13; ++i) EXPECT_NEAR(got[i], expected[i], std::abs(expected[i]) * units) << i;
}

__global__ void special_arguments(float* to) {
    to[0] = erfinv(1.0F);
    to[1] = erfinvf(-1.0F);
    to[2] = erfinvf(1.5F);
    to[3] = erfcinvf(0.0F);
    to[4] = erfcinvf(2.0F);
    to[5] = normcdfinvf(0.0F);
    to[6] = normcdfinv(1.0F);
    to[7] = normcdfinvf(0.5F);
    to[8] = erfcxf(-20.0F);
    to[9] = cyl_bessel_i1f(-200.0F);
    to[10] = norm3df(INFINITY, NAN, 0.0F);
    to[11] = rhypotf(0.0F, -INFINITY);
    to[12] = rnorm3df(0.0F, 0.0F, 0.0F);
    to[13] = normcdff(INFINITY);
    to[14] = cyl_bessel_i0f(0.0F);
    to[15] = erfinvf(-0.0F);
}

TEST_F(CudaSpecialFunctions, SpecialArguments) {
    const DeviceArray<float> output(16);
    launch(special_arguments, 1, 1, Stream(), output.data());
    const std::vector<float> got = output.download();
    const float expected[] = {INFINITY, -INFINITY, NAN,      INFINITY, -INFINITY, -INFINITY, INFINITY, 0,
                              INFINITY, -INFINITY, INFINITY, 0,        INFINITY,  1,         1,        -0.0F};
    for (std::size_t i = 0; i < 16; ++i) {
        if (std::isnan(expected[i]))
            EXPECT_TRUE(std::isnan(got[i])) << i;
        else
            EXPECT_EQ(got[i], expected[i]) << i;
    }
    EXPECT_TRUE(std::signbit(got[15]));
}

__global__ void special_functions_of_floats(float* to) {
    const unsigned i = threadIdx.x;
    const float x = (static_cast<float>(i) - 127.5F) / 32;
    float* const mine = to + 8 * i;
    mine[0] = erfinvf(x / 4);
    mine[1] = erfcinvf(1 + x / 4);
    mine[2] = erfcxf(x);
    mine[3] = normcdff(x);
    mine[4] = cyl_bessel_i0f(x);
    mine[5] = cyl_bessel_i1f(x);
    mine[6] = norm4df(x, 1.0F, -2.0F, x);
    mine[7] = rsqrt(x * x);
}

/// The same functions of doubles, whose results are taken to be exact.
__global__ void the_same_of_doubles(double* to) {
    const unsigned i = threadIdx.x;
    const double x = (static_cast<double>(i) - 127.5) / 32;
    double* const mine = to + 8 * i;
    mine[0] = erfinv(x / 4);
    mine[1] = erfcinv(1 + x / 4);
    mine[2] = erfcx(x);
    mine[3] = normcdf(x);
    mine[4] = cyl_bessel_i0(x);
    mine[5] = cyl_bessel_i1(x);
    mine[6] = norm4d(x, 1.0, -2.0, x);
    mine[7] = rsqrt(x * x);
}

TEST_F(CudaSpecialFunctions, OfFloats) {
    const DeviceArray<float> floats(8 * 256);
    const DeviceArray<double> doubles(8 * 256);
    launch(special_functions_of_floats, 1, 256, Stream(), floats.data());
    launch(the_same_of_doubles, 1, 256, Stream(), doubles.data());
    const std::vector<float> got = floats.download();
    const std::vector<double> expected = doubles.download();
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], std::abs(expected[i]) * float_units) << i % 8 << " " << i / 8;
}

}  // namespace
}  // namespace cudabook
