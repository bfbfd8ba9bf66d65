// cuRAND's device generators, with the same numbers on a GPU and on the emulated GPU. The curand_kernel.h
// of cuRAND 10.4.5 gives the expected numbers if it is compiled for the host.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class Curand : public test::Gpu {};

/// The numbers that a generator gives, in this order.
struct RandomNumbers {
    unsigned integers[4];
    float uniform[3];
    double uniform_double[2];
    unsigned after_skips;
    float normal[3];
    float log_normal;
    double normal_double[3];
    double log_normal_double;
};

template <class State>
__global__ void give_random_numbers(RandomNumbers* to) {
    State state;
    curand_init(0x123456789abcdefULL, 1000003, 12345678901ULL, &state);
    for (unsigned& number : to->integers) number = curand(&state);
    for (float& number : to->uniform) number = curand_uniform(&state);
    for (double& number : to->uniform_double) number = curand_uniform_double(&state);
    skipahead(1000000007, &state);
    skipahead_sequence(11, &state);
    to->after_skips = curand(&state);
    for (float& number : to->normal) number = curand_normal(&state);
    to->log_normal = curand_log_normal(&state, 0.5F, 0.25F);
    for (double& number : to->normal_double) number = curand_normal_double(&state);
    to->log_normal_double = curand_log_normal_double(&state, 0.5, 0.25);
}

template <class T>
T one_result(void (*kernel)(T*)) {
    const DeviceArray<T> to{std::span<const T>(std::vector<T>(1))};
    launch(kernel, 1, 1, Stream(), to.data());
    return to.download().front();
}

/// The expected integers, and the bits of the expected uniform numbers.
struct ExpectedNumbers {
    std::array<unsigned, 4> integers;
    std::array<std::uint32_t, 3> uniform;
    std::array<std::uint64_t, 2> uniform_double;
    unsigned after_skips;
    std::array<float, 3> normal;
    float log_normal;
    std::array<double, 3> normal_double;
    double log_normal_double;
};

template <class State>
void expect_random_numbers(const ExpectedNumbers& expected) {
    const RandomNumbers got = one_result(give_random_numbers<State>);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(got.integers[i], expected.integers[i]) << i;
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(got.uniform[i]), expected.uniform[i]) << i;
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(got.uniform_double[i]), expected.uniform_double[i]) << i;
    EXPECT_EQ(got.after_skips, expected.after_skips);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got.normal[i], expected.normal[i], 1e-5F) << i;
    EXPECT_NEAR(got.log_normal, expected.log_normal, 1e-5F);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(got.normal_double[i], expected.normal_double[i], 1e-12) << i;
    EXPECT_NEAR(got.log_normal_double, expected.log_normal_double, 1e-12);
}

TEST_F(Curand, Xorwow) {
    expect_random_numbers<curandState>({{0x5f4ca966, 0x1e51d18f, 0x61352baf, 0x247b1b96},
                                        {0x3e58cf26, 0x3f2a4d36, 0x3f4dc19a},
                                        {0x3fedb43d3592b0cc, 0x3fadd435b91c1b88},
                                        0x948ed048,
                                        {0.6251753F, -1.117054F, -0.7315434F},
                                        1.384739F,
                                        {0.613234806284705, 0.643300140121567, -0.989374369855793},
                                        1.7365813194038});
}

TEST_F(Curand, Philox) {
    expect_random_numbers<curandStatePhilox4_32_10_t>(
        {{0x791a435a, 0x236f2e02, 0x9ed29ca7, 0x2cd3bfa5},
         {0x3e347015, 0x3f5b05d5, 0x3e84ae2a},
         {0x3fe60c98e1800000, 0x3fe02eb4c7a00000},
         0x8a537663,
         {0.6656303F, 0.7860938F, 0.3351712F},
         1.676335F,
         {0.127368865917555, 0.563106746761483, 0.0938121371599139},
         1.700137651707});
}

TEST_F(Curand, Mrg) {
    expect_random_numbers<curandStateMRG32k3a_t>({{0x88799575, 0x7b4d910f, 0x90035c13, 0xc991ae7c},
                                                  {0x3d843262, 0x3f70742b, 0x3d500491},
                                                  {0x3fd6b197d5c6fcf6, 0x3febe22752c3a21b},
                                                  0x31c69e1b,
                                                  {0.1967636F, 1.058952F, 0.09408367F},
                                                  1.347832F,
                                                  {0.672308354244733, -1.26278608892778, 0.421668740175061},
                                                  3.98299953473737});
}

// ----- Several numbers at once

struct Fours {
    int integers_differ;
    int floats_differ;
    int doubles_differ;
};

/// Compares the functions that give several numbers with the functions that give one.
__global__ void compare_fours(Fours* to) {
    curandStatePhilox4_32_10_t one;
    curand_init(5, 6, 7, &one);
    curandStatePhilox4_32_10_t four = one;
    const auto differ4 = [](auto a, auto x, auto y, auto z, auto w) {
        return a.x != x || a.y != y || a.z != z || a.w != w ? 1 : 0;
    };
    const auto unit = [](unsigned low, unsigned high) {
        return static_cast<double>(low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
    };
    for (int i = 0; i < 3; ++i) {
        const uint4 integers = curand4(&four);
        const unsigned x = curand(&one), y = curand(&one), z = curand(&one), w = curand(&one);
        to->integers_differ += differ4(integers, x, y, z, w);
        const float4 floats = curand_uniform4(&four);
        const float p = curand_uniform(&one), q = curand_uniform(&one), r = curand_uniform(&one),
                    s = curand_uniform(&one);
        to->floats_differ += differ4(floats, p, q, r, s);
        const double2 two = curand_uniform2_double(&four);
        const unsigned a = curand(&one), b = curand(&one), c = curand(&one), d = curand(&one);
        if (two.x != unit(a, b) || two.y != unit(c, d)) to->doubles_differ += 1;
        const float4 normal = curand_normal4(&four);
        const float2 first = curand_normal2(&one), second = curand_normal2(&one);
        to->floats_differ += differ4(normal, first.x, first.y, second.x, second.y);
    }
}

TEST_F(Curand, SeveralNumbersOfPhilox) {
    const Fours got = one_result(compare_fours);
    EXPECT_EQ(got.integers_differ, 0);
    EXPECT_EQ(got.floats_differ, 0);
    EXPECT_EQ(got.doubles_differ, 0);
}

// ----- The sequences of many threads

template <class State>
__global__ void estimate_pi(unsigned long long* inside) {
    State state;
    curand_init(2026, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    unsigned long long mine = 0;
    for (int i = 0; i < 64; ++i) {
        const float x = curand_uniform(&state);
        const float y = curand_uniform(&state);
        if (x * x + y * y <= 1) ++mine;
    }
    atomicAdd(inside, mine);
}

template <class State>
void expect_pi() {
    using Count = unsigned long long;
    const DeviceArray<Count> inside{std::span<const Count>(std::vector<Count>(1))};
    launch(estimate_pi<State>, 16, 128, Stream(), inside.data());
    const double points = 16 * 128 * 64;
    EXPECT_NEAR(4 * static_cast<double>(inside.download().front()) / points, 3.14159265, 0.02);
}

TEST_F(Curand, SequencesOfManyThreads) {
    expect_pi<curandState>();
    expect_pi<curandStatePhilox4_32_10_t>();
    expect_pi<curandStateMRG32k3a_t>();
}

}  // namespace
}  // namespace cudabook
