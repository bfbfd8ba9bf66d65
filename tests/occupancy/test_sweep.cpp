// occupancy/sweep.hpp: the occupancies at which times are measured, and the bend of a curve.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "occupancy/sweep.hpp"

namespace cudabook::occupancy {
namespace {

Sweep sweep_of(std::initializer_list<double> ms) {
    Sweep sweep{.under_way = 4};
    for (const double time : ms) {
        Point point{.blocks = static_cast<int>(sweep.points.size()) + 1, .work = 1e9};
        point.warps = 2 * point.blocks;
        point.time.median = time;
        sweep.points.push_back(point);
    }
    return sweep;
}

TEST(OccupancySweep, Steps) {
    EXPECT_EQ(sweep_steps(32, false), (std::vector{1, 32}));
    EXPECT_EQ(sweep_steps(1, true), (std::vector{1}));
    EXPECT_EQ(sweep_steps(16, true), (std::vector{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16}));
    EXPECT_EQ(sweep_steps(24, true).back(), 24);
}

TEST(OccupancySweep, TheBendIsWhereMoreGainsLittle) {
    EXPECT_EQ(bend_of(sweep_of({8, 4, 2.15, 2, 2.1})).blocks, 3);
    EXPECT_EQ(bend_of(sweep_of({8, 4, 2, 1})).blocks, 4) << "it gets faster to the end";
    EXPECT_EQ(bend_of(sweep_of({1, 1, 1})).blocks, 1) << "one is enough";
    EXPECT_EQ(bend_of(sweep_of({3})).blocks, 1);
}

TEST(OccupancySweep, RateAndLittlesLaw) {
    const Sweep sweep = sweep_of({2});
    EXPECT_DOUBLE_EQ(rate_of(sweep.points[0], true), 500);   // 1e9 bytes in 2 ms: GB/s
    EXPECT_DOUBLE_EQ(rate_of(sweep.points[0], false), 0.5);  // as many operations: TFLOP/s
    EXPECT_DOUBLE_EQ(bytes_under_way(sweep, sweep.points[0]), 2 * 32 * 4 * 4);
}

/// Compares the closed form with a loop.
TEST(OccupancySweep, SumOfWords) {
    std::uint32_t sum = 0;
    for (std::uint32_t words = 1; words <= 1000; ++words) {
        sum += (words - 1) * 2654435761U;
        ASSERT_EQ(expected_sum_of_words(words), sum) << words;
    }
}

}  // namespace
}  // namespace cudabook::occupancy
