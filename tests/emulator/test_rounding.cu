// Single operations and conversions in all four rounding directions, compared with the host's.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class CudaRounding : public test::Gpu {};

constexpr int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/// Numbers with bits that look random. About every tenth number is special.
template <class T, class Bits>
std::vector<T> random_numbers(std::size_t count, unsigned seed) {
    constexpr int fraction = sizeof(T) == 8 ? 52 : 23;
    constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr Bits one_exponent = Bits{1} << fraction;
    constexpr Bits infinity = sign - one_exponent;
    constexpr Bits one = (sign >> 1) - one_exponent;
    const Bits special[] = {0,
                            1,
                            2,
                            one_exponent - 1,
                            one_exponent,
                            one_exponent + 1,
                            one,
                            one + 1,
                            one - 1,
                            one + one_exponent,
                            infinity - 1,
                            infinity,
                            infinity + one_exponent / 2};
    constexpr std::size_t specials = std::size(special);
    std::uint64_t state = seed;
    const auto next = [&] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t high = state >> 32;
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Bits>(high << 32 | state >> 32);
    };
    std::vector<T> result(count);
    for (T& number : result) {
        const Bits random = next();
        Bits bits = next();
        if (random % 10 == 0)
            bits = special[random / 10 % specials] | (bits & sign);
        else if (random % 10 < 6)  // exponents 0 to 7, so that sums and products are of similar size
            bits = (bits & (sign | (one_exponent - 1))) + one + random / 10 % 8 * one_exponent;
        std::memcpy(&number, &bits, sizeof number);
    }
    return result;
}

/// The number's bits, which are the same for each NaN.
template <class T>
std::uint64_t bits_of(T number) {
    std::uint64_t bits = 0;
    if (number != number) return ~bits;
    std::memcpy(&bits, &number, sizeof number);
    return bits;
}

template <class T>
DeviceArray<T> on_device(const std::vector<T>& numbers) {
    return DeviceArray<T>{std::span<const T>(numbers)};
}

constexpr int operations = 7;  // + - * / fma sqrt 1/x

__global__ void float_operations(const float* from, float* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const float x = from[3 * i];
    const float y = from[3 * i + 1];
    const float z = from[3 * i + 2];
    float* const mine = to + 4 * operations * i;
#define OF_FLOATS(n, letter)                                \
    mine[operations * (n)] = __fadd_r##letter(x, y);        \
    mine[operations * (n) + 1] = __fsub_r##letter(x, y);    \
    mine[operations * (n) + 2] = __fmul_r##letter(x, y);    \
    mine[operations * (n) + 3] = __fdiv_r##letter(x, y);    \
    mine[operations * (n) + 4] = __fmaf_r##letter(x, y, z); \
    mine[operations * (n) + 5] = __fsqrt_r##letter(x);      \
    mine[operations * (n) + 6] = __frcp_r##letter(x);
    OF_FLOATS(0, n)
    OF_FLOATS(1, z)
    OF_FLOATS(2, d)
    OF_FLOATS(3, u)
#undef OF_FLOATS
}

__global__ void double_operations(const double* from, double* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const double x = from[3 * i];
    const double y = from[3 * i + 1];
    const double z = from[3 * i + 2];
    double* const mine = to + 4 * operations * i;
#define OF_DOUBLES(n, letter)                              \
    mine[operations * (n)] = __dadd_r##letter(x, y);       \
    mine[operations * (n) + 1] = __dsub_r##letter(x, y);   \
    mine[operations * (n) + 2] = __dmul_r##letter(x, y);   \
    mine[operations * (n) + 3] = __ddiv_r##letter(x, y);   \
    mine[operations * (n) + 4] = __fma_r##letter(x, y, z); \
    mine[operations * (n) + 5] = __dsqrt_r##letter(x);     \
    mine[operations * (n) + 6] = __drcp_r##letter(x);
    OF_DOUBLES(0, n)
    OF_DOUBLES(1, z)
    OF_DOUBLES(2, d)
    OF_DOUBLES(3, u)
#undef OF_DOUBLES
}

/// The host's result. The variables are volatile, so that the operation stays between the changes of the
/// rounding direction.
template <class T>
T on_host(int operation, T first, T second, T third, int direction) {
    const volatile T x = first;
    const volatile T y = second;
    const volatile T z = third;
    volatile T result = 0;
    std::fesetround(direction);
    switch (operation) {
        case 0:
            result = x + y;
            break;
        case 1:
            result = x - y;
            break;
        case 2:
            result = x * y;
            break;
        case 3:
            result = x / y;
            break;
        case 4:
            result = std::fma(x, y, z);
            break;
        case 5:
            result = std::sqrt(x);
            break;
        default:
            result = T{1} / x;
    }
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class T>
void expect_host_s_results(const std::vector<T>& from, void (*kernel)(const T*, T*)) {
    const std::size_t threads = from.size() / 3;
    const DeviceArray<T> input = on_device(from);
    const DeviceArray<T> output(4 * operations * threads);
    launch(kernel, static_cast<unsigned>(threads / 256), 256, Stream(), input.data(), output.data());
    const std::vector<T> got = output.download();
    int wrong = 0;
    for (std::size_t i = 0; i < got.size() && wrong < 10; ++i) {
        const T* const arguments = &from[i / (4 * operations) * 3];
        const int operation = static_cast<int>(i % operations);
        const int direction = static_cast<int>(i / operations % 4);
        const T expected =
            on_host(operation, arguments[0], arguments[1], arguments[2], directions[direction]);
        if (bits_of(got[i]) == bits_of(expected)) continue;
        ADD_FAILURE() << "operation " << operation << ", direction " << direction << ", of " << std::hexfloat
                      << arguments[0] << ", " << arguments[1] << ", " << arguments[2] << ": " << got[i]
                      << " instead of " << expected;
        ++wrong;
    }
}

TEST_F(CudaRounding, Floats) {
    expect_host_s_results(random_numbers<float, std::uint32_t>(3 * 1024 * 256, 1), float_operations);
}
TEST_F(CudaRounding, Doubles) {
    expect_host_s_results(random_numbers<double, std::uint64_t>(3 * 1024 * 256, 2), double_operations);
}

/// Sums and products that are exact, halfway between two numbers, or nearly so.
TEST_F(CudaRounding, NearTies) {
    std::vector<double> from;
    std::vector<float> floats;
    for (int i = 0; i < 256 * 32; ++i) {
        const double x = std::ldexp(1 + i % 16 * 0x1p-52, i % 7);
        const double y = std::ldexp(1 - i % 5 * 0x1p-53, -50 - i % 11);
        from.insert(from.end(), {x, i % 2 == 0 ? y : -y, std::ldexp(i % 3 - 1.0, -150 + i % 128)});
        const float u = std::ldexp(1 + static_cast<float>(i % 16) * 0x1p-23F, i % 7);
        const float v = std::ldexp(1 - static_cast<float>(i % 5) * 0x1p-24F, -21 - i % 11);
        floats.insert(floats.end(), {u, i % 2 == 0 ? v : -v, std::ldexp(i % 3 - 1.0F, -140 + i % 128)});
    }
    expect_host_s_results(from, double_operations);
    expect_host_s_results(floats, float_operations);
}

__global__ void sums_of_products(const double* from, double* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const double x = from[3 * i];
    const double y = from[3 * i + 1];
    const double z = from[3 * i + 2];
    to[5 * i] = __dadd_rn(x * y, z);
    to[5 * i + 1] = __dadd_rz(x * y, z);
    to[5 * i + 2] = __dsub_rd(x * y, z);
    to[5 * i + 3] = __dadd_ru(z, x * y);
    to[5 * i + 4] = __fadd_rz(static_cast<float>(x) * static_cast<float>(y), static_cast<float>(z));
}

/// The product is rounded before it is added: a compiler may not fuse the two operations.
TEST_F(CudaRounding, ProductsAreNotFused) {
    constexpr std::size_t threads = 256;
    std::vector<double> from;
    for (std::size_t i = 0; i < threads; ++i) {
        const double x = 1 + static_cast<double>(i) * 0x1p-30;
        from.insert(from.end(), {x, x, -1 + static_cast<double>(i % 7) * 0x1p-55});
    }
    const DeviceArray<double> input = on_device(from);
    const DeviceArray<double> output(5 * threads);
    launch(sums_of_products, 1, 256, Stream(), input.data(), output.data());
    const std::vector<double> got = output.download();
    for (std::size_t i = 0; i < threads; ++i) {
        const volatile double product = from[3 * i] * from[3 * i + 1];
        const double z = from[3 * i + 2];
        const auto of_sum = [&](int direction, int operation = 0) {
            return on_host<double>(operation, product, z, 0, direction);
        };
        EXPECT_EQ(got[5 * i], of_sum(FE_TONEAREST)) << i;
        EXPECT_EQ(got[5 * i + 1], of_sum(FE_TOWARDZERO)) << i;
        EXPECT_EQ(got[5 * i + 2], of_sum(FE_DOWNWARD, 1)) << i;
        EXPECT_EQ(got[5 * i + 3], of_sum(FE_UPWARD)) << i;
        const volatile float short_product =
            static_cast<float>(from[3 * i]) * static_cast<float>(from[3 * i + 1]);
        const auto addend = static_cast<float>(z);
        EXPECT_EQ(got[5 * i + 4], on_host<float>(0, short_product, addend, 0, FE_TOWARDZERO)) << i;
    }
}

__global__ void reciprocal_roots(unsigned first, float* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    to[i] = __frsqrt_rn(__uint_as_float(first + i));
}

/// Tests all numbers of two binades, from 1 to 4, and some numbers from the least subnormal on.
TEST_F(CudaRounding, ReciprocalSquareRoots) {
    constexpr unsigned count = 1U << 24;
    for (const unsigned first : {0x3f800000U, 1U}) {
        const DeviceArray<float> output(count);
        launch(reciprocal_roots, count / 256, 256, Stream(), first, output.data());
        const std::vector<float> got = output.download();
        for (unsigned i = 0; i < count; i += first == 1 ? 997 : 1) {
            const unsigned bits = first + i;
            float x = 0;
            std::memcpy(&x, &bits, sizeof x);
            // The middle between two floats has a square of 50 bits; times x, it is rounded to 64 bits.
            const auto of = static_cast<long double>(x);
            const long double below = (static_cast<long double>(std::nextafter(got[i], 0.0F)) + got[i]) / 2;
            const long double above =
                (static_cast<long double>(std::nextafter(got[i], INFINITY)) + got[i]) / 2;
            ASSERT_LT(below * below * of, 1) << x;
            ASSERT_GT(above * above * of, 1) << x;
        }
    }
}

__global__ void special_reciprocal_roots(float* to) {
    const float from[] = {0.0F, -0.0F, INFINITY, -1.0F, -INFINITY, 4.0F};
    for (int i = 0; i < 6; ++i) to[i] = __frsqrt_rn(from[i]);
}

TEST_F(CudaRounding, SpecialReciprocalSquareRoots) {
    const DeviceArray<float> output(6);
    launch(special_reciprocal_roots, 1, 1, Stream(), output.data());
    const std::vector<float> got = output.download();
    EXPECT_EQ(got[0], INFINITY);
    EXPECT_EQ(got[1], -INFINITY);
    EXPECT_EQ(bits_of(got[2]), 0U);
    EXPECT_TRUE(std::isnan(got[3]));
    EXPECT_TRUE(std::isnan(got[4]));
    EXPECT_EQ(got[5], 0.5F);
}

// ----- Conversions

constexpr int to_floats = 6;

__global__ void integers_to_floats(const unsigned long long* from, double* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned long long x = from[i];
    double* const mine = to + 4 * to_floats * i;
#define FROM_INTEGERS(n, letter)                                                  \
    mine[to_floats * (n)] = __int2float_r##letter(static_cast<int>(x));           \
    mine[to_floats * (n) + 1] = __uint2float_r##letter(static_cast<unsigned>(x)); \
    mine[to_floats * (n) + 2] = __ll2float_r##letter(static_cast<long long>(x));  \
    mine[to_floats * (n) + 3] = __ull2float_r##letter(x);                         \
    mine[to_floats * (n) + 4] = __ll2double_r##letter(static_cast<long long>(x)); \
    mine[to_floats * (n) + 5] = __ull2double_r##letter(x);
    FROM_INTEGERS(0, n)
    FROM_INTEGERS(1, z)
    FROM_INTEGERS(2, d)
    FROM_INTEGERS(3, u)
#undef FROM_INTEGERS
}

template <class To, class From>
To converted_on_host(From value, int direction) {
    const volatile From x = value;
    std::fesetround(direction);
    const volatile To result = static_cast<To>(x);
    std::fesetround(FE_TONEAREST);
    return result;
}

/// A long double holds all bits of an integer, so only the conversion from long double rounds.
TEST_F(CudaRounding, IntegersToFloats) {
    constexpr std::size_t threads = 64 * 256;
    std::vector<unsigned long long> from;
    for (const double number : random_numbers<double, std::uint64_t>(threads, 3)) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        from.push_back(bits * 0x9e3779b97f4a7c15U >> bits % 64);
    }
    from[0] = ~0ULL;
    from[1] = 1ULL << 63;
    from[2] = 0x7fffffff;
    from[3] = 0x80000000;
    const DeviceArray<unsigned long long> input = on_device(from);
    const DeviceArray<double> output(4 * to_floats * threads);
    launch(integers_to_floats, static_cast<unsigned>(threads / 256), 256, Stream(), input.data(),
           output.data());
    const std::vector<double> got = output.download();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const unsigned long long x = from[i / (4 * to_floats)];
        const int direction = directions[i / to_floats % 4];
        const auto s = static_cast<long double>(static_cast<long long>(x));
        const auto u = static_cast<long double>(x);
        double expected = 0;
        switch (i % to_floats) {
            case 0:
                expected = converted_on_host<float>(static_cast<long double>(static_cast<int>(x)), direction);
                break;
            case 1:
                expected =
                    converted_on_host<float>(static_cast<long double>(static_cast<unsigned>(x)), direction);
                break;
            case 2:
                expected = converted_on_host<float>(s, direction);
                break;
            case 3:
                expected = converted_on_host<float>(u, direction);
                break;
            case 4:
                expected = converted_on_host<double>(s, direction);
                break;
            default:
                expected = converted_on_host<double>(u, direction);
        }
        ASSERT_EQ(bits_of(got[i]), bits_of(expected))
            << i % to_floats << " " << i / to_floats % 4 << " " << x;
    }
}

__global__ void doubles_to_floats(const double* from, float* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    to[4 * i] = __double2float_rn(from[i]);
    to[4 * i + 1] = __double2float_rz(from[i]);
    to[4 * i + 2] = __double2float_rd(from[i]);
    to[4 * i + 3] = __double2float_ru(from[i]);
}

TEST_F(CudaRounding, DoublesToFloats) {
    constexpr std::size_t threads = 256 * 256;
    std::vector<double> from = random_numbers<double, std::uint64_t>(threads, 4);
    const std::vector<float> floats = random_numbers<float, std::uint32_t>(threads, 5);
    for (std::size_t i = 0; i < threads; i += 2)  // near the range of floats; some are exact or halfway
        from[i] = static_cast<double>(floats[i]) * (1 + static_cast<double>(i % 5) * 0x1p-25);
    const DeviceArray<double> input = on_device(from);
    const DeviceArray<float> output(4 * threads);
    launch(doubles_to_floats, static_cast<unsigned>(threads / 256), 256, Stream(), input.data(),
           output.data());
    const std::vector<float> got = output.download();
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_EQ(bits_of(got[i]), bits_of(converted_on_host<float>(from[i / 4], directions[i % 4])))
            << std::hexfloat << from[i / 4] << " " << i % 4;
}

}  // namespace
}  // namespace cudabook
