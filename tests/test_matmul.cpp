// The room matmul on the CPU: the input, the oracle against the formula, blocks against the oracle, float64.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/crc32.hpp"
#include "common/rand_stream.hpp"
#include "matmul/matmul.hpp"
#include "tests/matmul_factors.hpp"

namespace cudabook::matmul {
namespace {

using test::difference;
using test::matmul_sides;
using test::text_of;

/// The formula, element by element.
std::vector<float> by_the_formula(const Factors& f) {
    const auto& [m, n, k] = f.shape;
    std::vector<float> c;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            float sum = 0;
            for (std::size_t p = 0; p < k; ++p) sum = std::fma(f.a[i * k + p], f.b[p * n + j], sum);
            c.push_back(sum);
        }
    return c;
}

TEST(Matmul, InputIsOneStream) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{3, 5, 2}, Shape{100, 333, 257}, Shape{2000, 3, 600}}) {
        const Factors factors = random_factors(shape);
        ASSERT_EQ(factors.a.size(), shape.m * shape.k);
        ASSERT_EQ(factors.b.size(), shape.k * shape.n);
        RandStream stream;
        for (const auto* matrix : {&factors.a, &factors.b})
            for (const float element : *matrix) {
                const double expected = (static_cast<double>(stream()) - 0x1p30) * 0x1p-30;
                ASSERT_EQ(element, static_cast<float>(expected)) << text_of(shape);
            }
    }
}

TEST(Matmul, ChecksumOfTheContract) {
    const Factors factors = random_factors({256, 256, 256});
    EXPECT_EQ(hex(checksum(reference(factors))), "51438d2c");
    EXPECT_EQ(hex(checksum(blocked(factors))), "51438d2c");
}

TEST(Matmul, ReferenceIsTheFormula) {
    for (const Shape& shape :
         {Shape{1, 1, 1}, Shape{1, 17, 33}, Shape{31, 1, 64}, Shape{40, 50, 1}, Shape{33, 65, 129}}) {
        for (const Factors& factors : {random_factors(shape), test::spread_factors(shape),
                                       test::extreme_factors(shape), test::tiny_factors(shape)})
            EXPECT_EQ(difference(reference(factors), by_the_formula(factors), shape.n), "") << text_of(shape);
    }
}

class MatmulLevels : public testing::TestWithParam<std::size_t> {};

TEST_P(MatmulLevels, BlocksGiveTheBitsOfTheReference) {
    for (const std::size_t m : matmul_sides)
        for (const std::size_t n : matmul_sides)
            for (const std::size_t k : {1, 2, 17, 64, 255, 257}) {
                const Factors factors = random_factors({m, n, k});
                ASSERT_EQ(difference(blocked(factors, GetParam()), reference(factors), n), "")
                    << text_of(factors.shape);
            }
}

TEST_P(MatmulLevels, BlocksOfLargeMatrices) {
    for (const Shape& shape : {Shape{1000, 333, 2047}, Shape{3, 8200, 300}, Shape{2000, 5, 513}}) {
        const Factors factors = random_factors(shape);
        EXPECT_EQ(difference(blocked(factors, GetParam()), reference(factors), shape.n), "")
            << text_of(shape);
    }
}

TEST_P(MatmulLevels, BlocksOfExtremeNumbers) {
    const Shape shape{67, 129, 515};
    for (const Factors& factors :
         {test::spread_factors(shape), test::extreme_factors(shape), test::tiny_factors(shape)})
        EXPECT_EQ(difference(blocked(factors, GetParam()), reference(factors), shape.n), "");
}

INSTANTIATE_TEST_SUITE_P(Simd, MatmulLevels, testing::Range<std::size_t>(0, simd_levels().size()),
                         [](const auto& level) { return simd_levels()[level.param]; });

TEST(Matmul, BlocksAtEveryNumberOfThreads) {
    const Factors factors = random_factors({301, 700, 259});
    const std::vector<float> expected = reference(factors);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= 8; ++threads) {
        omp_set_num_threads(threads);
        EXPECT_EQ(difference(blocked(factors), expected, 700), "") << threads << " threads";
    }
    omp_set_num_threads(before);
}

TEST(Matmul, ExactRowsAreSpreadOverC) {
    const Factors factors = random_factors({10, 1030, 7});
    const ExactRows exact = exact_rows(factors, 3);
    ASSERT_EQ(exact.rows, (std::vector<std::size_t>{0, 3, 6}));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 1030; ++j) {
            double value = 0;
            double magnitude = 0;
            for (std::size_t p = 0; p < 7; ++p) {
                const double product =
                    static_cast<double>(factors.a[exact.rows[i] * 7 + p]) * factors.b[p * 1030 + j];
                value += product;
                magnitude += std::fabs(product);
            }
            ASSERT_EQ(exact.values[i * 1030 + j], value);
            ASSERT_EQ(exact.magnitudes[i * 1030 + j], magnitude);
        }
    EXPECT_EQ(exact_rows(factors, 1000).rows.size(), 10U);
}

TEST(Matmul, AccuracySeesAWrongElement) {
    const Factors factors = random_factors({20, 30, 40});
    const ExactRows exact = exact_rows(factors, 20);
    std::vector<float> c = reference(factors);
    const Accuracy good = accuracy(exact, c, 30);
    EXPECT_LT(good.relative_error, 1e-6);
    EXPECT_LT(good.worst, 1e-6);
    c[333] += 0.5F;
    EXPECT_GT(accuracy(exact, c, 30).relative_error, 1e-3);
    EXPECT_GT(accuracy(exact, c, 30).worst, 1e-3);
    c[333] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(accuracy(exact, c, 30).worst <= 1) << "a NaN is no small error";
}

TEST(Matmul, ProductOnTheCpu) {
    const Factors factors = random_factors({130, 70, 90});
    const Side side = cpu();
    const auto product = side.make(cpu_device(), factors);
    for (const Kernel& kernel : side.kernels) {
        EXPECT_EQ(difference(product->result(kernel), reference(factors), 70), "") << kernel.name;
        EXPECT_GT(product->run(kernel), 0) << kernel.name;
        EXPECT_FALSE(product->occupancy(kernel).has_value());
    }
    if (side.peer.why_not({}, factors.shape).empty()) {
        const Accuracy found = accuracy(exact_rows(factors, 130), product->result(side.peer), 70);
        EXPECT_LE(found.worst, side.peer.error_bound(90));
    }
    EXPECT_NE(side.peer.why_not({}, {1, 1, std::size_t{1} << 31U}), "");
}

TEST(Matmul, CeilingIsAboveWhatBlocksReach) {
    const auto ceilings = cpu().ceilings(cpu_device());
    ASSERT_EQ(ceilings.size(), 1U);
    EXPECT_EQ(ceilings[0].first, "fma_tflops");
    EXPECT_GT(ceilings[0].second, 0);
}

}  // namespace
}  // namespace cudabook::matmul
